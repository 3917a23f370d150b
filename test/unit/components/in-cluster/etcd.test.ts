import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../../../cluster/model";
import { resolveCluster } from "../../../../cluster/resolve";
import { EtcdMembers } from "../../../../components/in-cluster/etcd";
import { type Deployed, deploy } from "../../deploy";
import { fakeCredentials, withCandidates } from "./fixture";
import { Created, objectsOf, ownership, textsOf } from "./owned-in-cluster";

async function create(count: number): Promise<Deployed[]> {
    return createIn(resolveCluster({ name: "c", controllers: { count } }));
}

async function createIn(cluster: Cluster, demoted?: readonly string[]): Promise<Deployed[]> {
    const credentials = fakeCredentials(cluster);
    const { resources } = await deploy(() => {
        const machinesOf = (names: readonly string[], first: number) =>
            names.map((name, index) => ({
                name,
                address: pulumi.output(`10.0.0.${first + index}`),
                resource: new Created(`machine ${first === 11 ? index : name}`),
            }));
        const controllers = machinesOf(cluster.controllers.names, 11);
        const candidates = machinesOf(cluster.controllers.candidates, 31);
        const machines = { controllers, candidates, ...(demoted && { demoted }) };
        return new EtcdMembers("c", {
            ...{ cluster, ...machines, credentials: pulumi.secret(credentials) },
            ...ownership(),
        });
    });
    return objectsOf(resources);
}

const secret = (index: number) => `c/secret/kube-system/etcd-member-c-controller-${index}`;
const join = (index: number) => `c/deployment/kube-system/etcd-join-c-controller-${index}`;
/** Controllers that get their role back. */
const admitted = "c/configmap/kube-system/admitted-controllers";
const node = (index: number) => `c/node/c-controller-${index}`;

describe("the members of etcd", () => {
    it("are one with the controllers' role and nothing that admits it, if there is one controller", async () => {
        const objects = await create(1);
        assert.deepEqual(
            objects.map(({ name, dependsOn }) => [name, dependsOn]),
            [
                [node(0), ["machine 0"]],
                [admitted, [node(0)]],
            ],
        );
        assert.ok("node-role.kubernetes.io/control-plane" in objects[0]!.inputs.metadata.labels);
    });

    it("are admitted one after another, since etcd takes one learner at a time: each when the one before has its role", async () => {
        const objects = await create(5);
        const named = (name: string) => objects.find((each) => each.name === name)!;
        const program = objects.find(({ type }) => type.endsWith(":ConfigMap"))!.name;
        for (const index of [0, 1, 2, 3, 4]) {
            const previous = index < 2 ? [] : [node(index - 1)];
            const others = index === 1 ? ["machine 0"] : previous;
            assert.deepEqual(
                [...named(join(index)).dependsOn].sort(),
                [program, secret(index), `machine ${index}`, ...others].sort(),
            );
            assert.deepEqual(named(node(index)).dependsOn, [join(index)]);
        }
        assert.deepEqual([...named(admitted).dependsOn].sort(), [0, 1, 2, 3, 4].map(node));
    });

    it("give no role to a controller that the cluster demoted, if its Node is created again", async () => {
        const objects = await createIn(withCandidates(), ["c-controller-1"]);
        const labelsOf = (index: number) => objects.find(({ name }) => name === node(index))!.inputs.metadata.labels;
        const role = "node-role.kubernetes.io/control-plane";
        assert.deepEqual(
            [0, 1, 2].map((index) => role in labelsOf(index)),
            [true, false, true],
        );
        assert.equal(labelsOf(1)["app.kubernetes.io/managed-by"], "tradewind");
    });

    it("are each given their own key, hidden, and the addresses of the others", async () => {
        const objects = await create(3);
        for (const index of [0, 1, 2]) {
            const own = objects.find(({ name }) => name === secret(index))!;
            assert.deepEqual(own.secretInputs, ["data"]);
            const { "member.key": key, "plan.json": plan } = textsOf(own);
            assert.match(key!, new RegExp(`etcd member c-controller-${index}\n`));
            const others = [0, 1, 2].filter((each) => each !== index);
            assert.deepEqual(
                JSON.parse(plan!).endpoints,
                others.map((each) => `https://10.0.0.${11 + each}:2379`),
            );
        }
    });
});
