import assert from "node:assert/strict";
import type { Owner, Pod } from "../../../../agents/checkpointer/pod";
import { endedByShutdown } from "../../../../agents/checkpointer/shutdown";

const daemonSet = { kind: "DaemonSet", name: "d", controller: true };
const pod = (name: string, status: Pod["status"], owner: Owner = daemonSet, deletionTimestamp?: string): Pod => ({
    metadata: { name, namespace: "n", uid: name, ownerReferences: [owner], deletionTimestamp },
    spec: { containers: [] },
    status,
});
const ready = { isLeaving: false, isReady: true };
const rejected = { phase: "Failed", reason: "NodeShutdown" };

describe("pods that a shutdown ended", () => {
    it("are those of DaemonSets, refused or ended by the kubelet", () => {
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

    it("are left while the node shuts down, and while nobody says", () => {
        for (const node of [{ ...ready, isReady: false }, undefined]) {
            assert.deepEqual(endedByShutdown([pod("rejected", rejected)], node), []);
        }
    });
});
