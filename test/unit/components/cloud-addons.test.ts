import assert from "node:assert/strict";
import { awsCloudController } from "../../../components/addons/aws-cloud-controller";
import { CloudAddons } from "../../../components/cloud-addons";
import { resolveCluster } from "../../../components/cluster/resolve";
import { deploy } from "../deploy";
import { Made, objectsOf, ownership } from "./owned-in-cluster";

describe("a cloud's own controllers", () => {
    it("run when they have their rights and their configuration, after the control plane", async () => {
        const cluster = resolveCluster({ name: "c", cloudProvider: "aws" });
        const manifests = awsCloudController(cluster, { region: "eu-central-1" });
        const { resources } = await deploy(
            () => new CloudAddons("c", { cluster, manifests, after: new Made("control plane"), ...ownership() }),
        );
        const objects = objectsOf(resources);
        assert.equal(objects.length, manifests.length);
        const deployment = objects.find(({ type }) => type.endsWith(":Deployment"))!;
        const others = objects.filter((each) => each !== deployment).map(({ name }) => name);
        assert.deepEqual([...deployment.dependsOn].sort(), [...others, "control plane"].sort());
    });
});
