import assert from "node:assert/strict";
import { type Manifest, priorities } from "../../../../cluster/manifest";
import type { Toleration } from "../../../../cluster/manifests/pod";
import { inCluster } from "../../../../dev/reference/permissions";
import { podSpecOf } from "../../components/in-cluster/fixture";

/** By what a node reports: taints that the node controller sets for it. */
const pressures = ["disk", "memory", "pid"].map((resource) => `node.kubernetes.io/${resource}-pressure`);

const workloads = Object.entries(inCluster)
    .flatMap(([where, manifests]) => manifests.map((manifest): [string, Manifest] => [where, manifest]))
    .filter(([, manifest]) => podSpecOf(manifest) !== undefined)
    // Nothing waits for it, and it may be what uses the disk or the memory.
    .filter(([, { metadata }]) => metadata.name !== "prometheus");

describe("on a node that lacks disk space, memory or process IDs", () => {
    it("are tried all workloads, Jobs among them", () => {
        const names = workloads.map(([, { metadata }]) => metadata.name);
        for (const name of ["etcd-keeper", "node-removal", "checkpointer", "node-agent-default", "coredns"]) {
            assert.ok(names.includes(name), `${name} in ${names.join(", ")}`);
        }
    });

    for (const [where, manifest] of workloads) {
        const { kind, metadata } = manifest;
        const spec = podSpecOf(manifest) as { tolerations?: Toleration[]; priorityClassName?: string };

        it(`the ${kind} ${metadata.name} (${where}) is placed, admitted and never evicted`, () => {
            const missing = pressures.filter((key) => !(spec.tolerations ?? []).some((each) => tolerates(each, key)));
            // The DaemonSet controller adds these tolerations; the scheduler does not place static pods.
            assert.deepEqual(["DaemonSet", "Pod"].includes(kind) ? [] : missing, []);
            // Kubelets neither refuse nor evict pods of these classes for lack of resources.
            const names: string[] = Object.values(priorities).map(({ name }) => name);
            assert.ok(names.includes(spec.priorityClassName ?? ""), `priority class ${spec.priorityClassName}`);
        });
    }
});

function tolerates({ key, operator, effect = "NoSchedule" }: Toleration, taint: string): boolean {
    return operator === "Exists" && (key === undefined || key === taint) && effect === "NoSchedule";
}
