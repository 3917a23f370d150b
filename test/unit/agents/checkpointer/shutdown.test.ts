import assert from "node:assert/strict";
import { endedByShutdown, removeEnded } from "../../../../agents/checkpointer/shutdown";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import type { NodePod } from "../../../../clients/kubernetes/kubelet-api";
import type { Owner } from "../../../../clients/kubernetes/objects";

const daemonSet = { kind: "DaemonSet", name: "d", controller: true };
const pod = (
    name: string,
    status: NodePod["status"],
    owner: Owner = daemonSet,
    deletionTimestamp?: string,
): NodePod => ({
    metadata: { name, namespace: "n", uid: name, ownerReferences: [owner], deletionTimestamp },
    spec: { containers: [] },
    status,
});
const ready = { isLeaving: false, isReady: true };
const rejected = { phase: "Failed", reason: "NodeShutdown" };

describe("pods terminated by a shutdown", () => {
    it("are those of DaemonSets, rejected or terminated by the kubelet", () => {
        const pods = [
            pod("rejected", rejected),
            pod("ended", { phase: "Failed", reason: "Terminated" }),
            pod("crashed", { phase: "Failed", reason: "Error" }),
            pod("running", { phase: "Running" }),
            pod("job", rejected, { kind: "Job", name: "j", controller: true }),
            pod("going", rejected, daemonSet, "2030-01-01T00:00:00Z"),
        ];
        assert.deepEqual(
            endedByShutdown(pods, ready).map(({ metadata }) => metadata.name),
            ["rejected", "ended"],
        );
    });

    it("include those of the control plane, rejected while their Node had no role", () => {
        const affinity = { phase: "Failed", reason: "NodeAffinity" };
        const of = (namespace: string, kind: string) => {
            const each = pod(`${namespace}/${kind}`, affinity, { kind, name: "o", controller: true });
            return { ...each, metadata: { ...each.metadata, namespace } };
        };
        const pods = [of("kube-system", "ReplicaSet"), of("kube-system", "DaemonSet"), of("kube-system", "Job")];
        assert.deepEqual(
            endedByShutdown([...pods, of("prod", "ReplicaSet")], ready).map(({ metadata }) => metadata.name),
            ["kube-system/ReplicaSet", "kube-system/DaemonSet"],
        );
    });

    it("are kept while the node shuts down, and while its state is unknown", () => {
        for (const node of [{ ...ready, isReady: false }, undefined]) {
            assert.deepEqual(endedByShutdown([pod("rejected", rejected)], node), []);
        }
    });

    it("are removed one by one, ignoring those that no longer exist", async () => {
        const failures: Record<string, Error> = { gone: new ApiError(404, "gone"), kept: new ApiError(500, "no") };
        const remove = async ({ metadata: { name } }: NodePod) => {
            if (name in failures) throw failures[name];
        };
        const log: string[] = [];
        await removeEnded(
            ["gone", "kept", "last"].map((name) => pod(name, rejected)),
            { remove },
            (line) => log.push(line),
        );
        assert.equal(log.length, 2);
        assert.match(log[0]!, /^n\/kept could not be removed: .*no/);
        assert.match(log[1]!, /^n\/last: removed/);
    });
});
