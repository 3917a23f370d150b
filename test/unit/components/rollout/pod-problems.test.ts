import assert from "node:assert/strict";
import type { Pod } from "../../../../clients/kubernetes/objects";
import { problemsOf } from "../../../../components/rollout/pod-problems";

const pod = (status: object) => ({ metadata: { name: "p" }, status: { ...status } });
const container = (rest: object, status: object = {}) =>
    pod({ containerStatuses: [{ name: "main", ready: false, ...rest }], ...status });
const notReady = (rest: object) => ({ conditions: [{ type: "Ready", status: "False", ...rest }] });

describe("what is wrong with a pod", () => {
    const cases: [string, object, string[]][] = [
        ["nothing when it is ready", container({ ready: true, lastState: { terminated: { exitCode: 1 } } }), []],
        ["nothing while it is being made", container({ state: { waiting: { reason: "ContainerCreating" } } }), []],
        [
            "no place for it",
            pod({
                conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/1 nodes" }],
            }),
            ['pod "p": [Unschedulable] 0/1 nodes'],
        ],
        [
            "an image that is not there",
            container({ state: { waiting: { reason: "ErrImagePull", message: "not found" } } }),
            ['pod "p", container "main": [ErrImagePull] not found'],
        ],
        [
            "a crash, with its last words",
            container({
                state: { waiting: { reason: "CrashLoopBackOff", message: "back-off" } },
                lastState: { terminated: { exitCode: 2, reason: "Error", message: "unknown flag\n" } },
            }),
            [
                'pod "p", container "main": [CrashLoopBackOff] back-off; last ended with exit code 2 (Error): unknown flag',
            ],
        ],
        [
            "an init container that failed",
            pod({ initContainerStatuses: [{ name: "i", state: { terminated: { exitCode: 1, reason: "Error" } } }] }),
            ['pod "p", container "i": last ended with exit code 1 (Error)'],
        ],
        [
            "a crash on a node, which is named",
            { ...container({ state: { terminated: { exitCode: 1, reason: "Error" } } }), spec: { nodeName: "n" } },
            ['pod "p" on node "n", container "main": last ended with exit code 1 (Error)'],
        ],
        [
            "nothing when it was told to end",
            {
                ...container({ state: { terminated: { exitCode: 143, reason: "Error" } } }),
                metadata: { name: "p", deletionTimestamp: "2026-11-24T12:00:00Z" },
            },
            [],
        ],
        [
            "a gate that is closed",
            container({ ready: true }, notReady({ reason: "ReadinessGatesNotReady", message: "g is not true" })),
            ['pod "p": [ReadinessGatesNotReady] g is not true'],
        ],
        [
            "a node that is away: its controller says no more than that the pod is not Ready",
            { ...container({ ready: true }, notReady({})), spec: { nodeName: "n" } },
            ['pod "p" on node "n": it is not Ready, but its containers are; check its node'],
        ],
        ["nothing while its containers start", container({}, notReady({ reason: "ContainersNotReady" })), []],
    ];
    for (const [title, object, problems] of cases) {
        it(title, () => assert.deepEqual(problemsOf(object as Pod), problems));
    }
});
