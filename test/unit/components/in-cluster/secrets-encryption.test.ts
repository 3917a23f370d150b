import assert from "node:assert/strict";
import { resolveCluster } from "../../../../cluster/resolve";
import { SecretsEncryption } from "../../../../components/in-cluster/control-plane";
import { deploy } from "../../deploy";
import { Created, objectsOf, ownership } from "./owned-in-cluster";

describe("Secrets that are written again", () => {
    it("are rewritten once the control plane has its keys, by an agent with its permissions and its program", async () => {
        const cluster = resolveCluster({ name: "c", keys: { encryption: [2, 1] } });
        const { resources } = await deploy(
            () => new SecretsEncryption("c", { cluster, after: [new Created("control plane")], ...ownership() }),
        );
        const objects = objectsOf(resources);
        const job = objects.find(({ name }) => name === "c/job/kube-system/secrets-rewrite-2-1")!;
        const others = objects.filter((each) => each !== job).map(({ name }) => name);
        assert.equal(others.length, 4);
        assert.deepEqual([...job.dependsOn].sort(), [...others, "control plane"].sort());
    });
});
