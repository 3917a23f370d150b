import assert from "node:assert/strict";
import { podProblem } from "../../../../../agents/boot/bootstrap/self-hosted";
import type { Pod } from "../../../../../clients/kubernetes/objects";

const container = { name: "haproxy", ready: false };
const waiting = { waiting: { reason: "CrashLoopBackOff", message: "back-off 10s" } };

const cases: [what: string, status: Pod["status"], problem: string | undefined][] = [
    ["Ready", { conditions: [{ type: "Ready", status: "True" }] }, undefined],
    ["new", undefined, "p: is Pending"],
    [
        "not scheduled",
        { conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/1 nodes" }] },
        "p: Unschedulable: 0/1 nodes",
    ],
    [
        "failing to pull an image",
        { containerStatuses: [{ ...container, state: { waiting: { reason: "ImagePullBackOff" } } }] },
        "p: container haproxy waiting: ImagePullBackOff",
    ],
    [
        "crashing",
        {
            containerStatuses: [
                { ...container, restartCount: 3, state: waiting, lastState: { terminated: { exitCode: 1 } } },
                { name: "kube-apiserver", ready: true, state: { running: {} } },
            ],
        },
        "p: container haproxy waiting: CrashLoopBackOff: back-off 10s after 3 restarts, previous exit code 1",
    ],
    [
        "ended",
        { containerStatuses: [{ ...container, state: { terminated: { reason: "Error", exitCode: 2 } } }] },
        "p: container haproxy terminated: Error, exit code 2",
    ],
    [
        "running before its readiness probe passes",
        { containerStatuses: [{ ...container, state: { running: {} } }] },
        "p: container haproxy running, not ready",
    ],
    [
        "in its second init container",
        {
            initContainerStatuses: [
                { name: "first", ready: true, state: { terminated: { exitCode: 0 } } },
                { name: "second", ready: false, state: { running: {} } },
            ],
        },
        "p: container second running, not ready",
    ],
    [
        "held up by a readiness gate",
        { conditions: [{ type: "Ready", status: "False", reason: "ReadinessGatesNotReady" }] },
        "p: ReadinessGatesNotReady",
    ],
];

describe("the status of a pod", () => {
    for (const [what, status, problem] of cases) {
        it(`that is ${what} is ${problem === undefined ? "nothing" : `"${problem}"`}`, () => {
            assert.equal(podProblem({ metadata: { name: "p" }, status }), problem);
        });
    }

    it("is lost for a Ready pod that is being deleted", () => {
        const status = { conditions: [{ type: "Ready", status: "True" }] };
        assert.equal(podProblem({ metadata: { name: "p", deletionTimestamp: "now" }, status }), "p: is terminating");
    });
});
