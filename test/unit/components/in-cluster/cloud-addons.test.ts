import assert from "node:assert/strict";
import { awsCloudController } from "../../../../cluster/manifests/addons/aws";
import { resolveCluster } from "../../../../cluster/resolve";
import { CloudAddons } from "../../../../components/in-cluster/addons";
import { deploy } from "../../deploy";
import { Created, objectsOf, ownership } from "./owned-in-cluster";

describe("a cloud's own controllers", () => {
    it("start after the control plane, with their permissions and their configuration in place", async () => {
        const cluster = resolveCluster({ name: "c", cloudProvider: "aws" });
        const manifests = awsCloudController(cluster, { region: "eu-central-1" });
        const { resources } = await deploy(
            () => new CloudAddons("c", { cluster, manifests, after: [new Created("control plane")], ...ownership() }),
        );
        const objects = objectsOf(resources);
        assert.equal(objects.length, manifests.length);
        const deployment = objects.find(({ type }) => type.endsWith(":Deployment"))!;
        const others = objects.filter((each) => each !== deployment).map(({ name }) => name);
        assert.deepEqual([...deployment.dependsOn].sort(), [...others, "control plane"].sort());
    });
});
