import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { planProblems } from "../../../../agents/harness/plan";
import { poolsSchema } from "../../../../agents/nodes/approver/plan";
import { resolveCluster } from "../../../../cluster/resolve";
import { NodeApproval, type PooledMachines } from "../../../../components/in-cluster/nodes";
import { type Deployed, deploy } from "../../deploy";
import { fakeCredentials } from "./fixture";
import { Created, objectsOf, ownership } from "./owned-in-cluster";

const cluster = resolveCluster({ name: "c", workerPools: [{ name: "a" }, { name: "b" }] });
const pooled: PooledMachines = {
    groups: { b: "c-b" },
    instances: { ec2: "https://ec2.example", region: "r", namePattern: "^i-.*$", domain: ".r.compute.internal" },
};

async function create(more: { pooled?: PooledMachines } = {}): Promise<Deployed[]> {
    const approver = pulumi.secret(fakeCredentials(cluster));
    const record: pulumi.Resource[] = [];
    const { resources } = await deploy(
        () => new NodeApproval("c", { ...{ cluster, approver, record }, ...more, ...ownership() }),
    );
    return objectsOf(resources);
}

const pools = (objects: readonly Deployed[]) =>
    JSON.parse(objects.find(({ name }) => name.endsWith("/node-pools"))!.inputs.data["pools.json"]);

describe("the approval of nodes", () => {
    it("runs once it has its permissions, its certificate and the node names", async () => {
        const objects = await create();
        const daemonSet = objects.find(({ type }) => type.endsWith(":DaemonSet"))!;
        const others = objects.filter((each) => each !== daemonSet).map(({ name }) => name);
        assert.equal(others.length, 7);
        assert.deepEqual([...daemonSet.dependsOn].sort(), others.sort());
    });

    it("admits nodes named by the stack, and machines of groups that their cloud confirms", async () => {
        const controller = { nodes: ["c-controller-0"] };
        const own = pools(await create());
        assert.deepEqual(own, { pools: { controller, a: { nodes: ["c-a-0"] }, b: { nodes: ["c-b-0"] } } });
        const asking = pools(await create({ pooled }));
        assert.deepEqual(asking.pools, { controller, a: { nodes: ["c-a-0"] }, b: { group: "c-b" } });
        assert.deepEqual([planProblems(own, poolsSchema), planProblems(asking, poolsSchema)], [[], []]);
    });

    it("keeps its certificate secret, and shows the rest in a preview that does not know it", async () => {
        const known = await create();
        const secret = known.find(({ type }) => type.endsWith(":Secret"))!;
        assert.deepEqual(secret.secretInputs, ["data"]);
        const { resources } = await deploy(
            () => {
                const approver = new Created("keys").id.apply(() => fakeCredentials(cluster));
                return new NodeApproval("c", { cluster, approver, record: [], ...ownership() });
            },
            { isPreview: true, outputs: ({ name }) => (name === "keys" ? { id: "" } : {}) },
        );
        const names = (objects: readonly Deployed[]) => objects.map(({ name }) => name).sort();
        assert.deepEqual(names(objectsOf(resources)), names(known));
    });
});
