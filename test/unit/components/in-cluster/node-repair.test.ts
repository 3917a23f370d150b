import assert from "node:assert/strict";
import { resolveCluster } from "../../../../cluster/resolve";
import { NodeRepair, type RepairAccess } from "../../../../components/in-cluster/nodes";
import { deploy } from "../../deploy";
import { objectsOf, ownership } from "./owned-in-cluster";

const cluster = resolveCluster({ name: "c", repair: {} });
const droplets = {
    name: "digitalocean",
    hasToken: true,
    cloud: { api: "https://api.digitalocean.com", tag: "c" },
} as const;

async function created(access?: RepairAccess) {
    const args = { cluster, repair: cluster.repair!, ...(access && { access }), ...ownership() };
    return objectsOf((await deploy(() => new NodeRepair("c", args))).resources);
}

describe("the repair of machines", () => {
    it("is done by an agent that runs once it has its permissions, its plan, its record and its token", async () => {
        const objects = await created({ ...droplets, token: "dop_v1_x" });
        const deployment = objects.find(({ type }) => type.endsWith(":Deployment"))!;
        const others = objects.filter((each) => each !== deployment).map(({ name }) => name);
        assert.equal(others.length, 10);
        assert.deepEqual([...deployment.dependsOn].sort(), others.sort());
        const secret = objects.find(({ type }) => type.endsWith(":Secret"))!;
        assert.ok(JSON.stringify(secret.inputs).includes(Buffer.from("dop_v1_x").toString("base64")));
        assert.ok(!JSON.stringify(deployment.inputs).includes("dop_v1_x"));
    });

    it("says on its record what repairs machines, and has no token where only a person does", async () => {
        const recordOf = async (access?: RepairAccess) => {
            const objects = await created(access);
            assert.equal(
                objects.some(({ type }) => type.endsWith(":Secret")),
                access !== undefined,
            );
            return objects.find(({ name }) => name.endsWith("/machine-repairs"))!.inputs.metadata.annotations;
        };
        assert.equal((await recordOf({ ...droplets, token: "x" }))["tradewind.dev/repaired-by"], "digitalocean");
        assert.equal((await recordOf())?.["tradewind.dev/repaired-by"], undefined);
    });
});
