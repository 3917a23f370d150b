import assert from "node:assert/strict";
import { LocalCluster } from "../../../../components/local/cluster";
import { deploy } from "../../deploy";
import { downloads } from "./fixture";
import { providerOutputs } from "./provider-outputs";

const namesWith = async (args: object) => {
    const { resources } = await deploy(
        () => new LocalCluster("c", { machineCidr: "192.0.2.0/24", downloads, ...args }),
        { outputs: providerOutputs },
    );
    return resources.filter(({ name }) => name.includes("prometheus"));
};

describe("a cluster's Prometheus", function () {
    this.timeout(60_000);

    it("exists only on request", async () => {
        assert.deepEqual(await namesWith({}), []);
    });

    it("starts once it has its configuration, its account and its volume", async () => {
        const resources = await namesWith({ prometheus: { storageClass: "local" } });
        const deployment = resources.find(({ name }) => name === "c/deployment/kube-system/prometheus")!;
        const needed = resources.filter(({ name }) => name.startsWith("c/") && name !== deployment.name);
        assert.equal(needed.length, 9, needed.map(({ name }) => name).join(", "));
        for (const { name } of needed) assert.ok(deployment.dependsOn.includes(name), name);
    });
});
