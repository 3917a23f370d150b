import assert from "node:assert/strict";
import { stalePods, unavailableDeployments, unreadyPods } from "../../../../cli/drill/settled";
import type { Pod } from "../../../../clients/kubernetes/objects";

const since = Date.parse("2026-11-21T10:00:00Z");
const pod = (nodeName: string, startedAt: string | undefined, phase = "Running"): Pod => ({
    metadata: { name: "p", namespace: "n" },
    spec: { nodeName, containers: [] },
    status: {
        phase,
        containerStatuses: [
            { name: "c", ready: false, state: startedAt === undefined ? {} : { running: { startedAt } } },
        ],
    },
});

describe("pods whose status is older than their machine", () => {
    const cases: [string, Pod, boolean][] = [
        ["started before the machine was created", pod("new", "2026-11-21T09:59:59Z"), true],
        ["started after that", pod("new", "2026-11-21T10:00:01Z"), false],
        ["are on an old machine", pod("old", "2026-11-21T09:00:00Z"), false],
        ["have finished", pod("new", "2026-11-21T09:00:00Z", "Succeeded"), false],
        ["wait", pod("new", undefined), false],
        ["were never seen by a kubelet", { metadata: { name: "p", namespace: "n" }, spec: { containers: [] } }, false],
    ];
    for (const [title, each, isStale] of cases) {
        it(`${isStale ? "are" : "are not"} those that ${title}`, () => {
            assert.deepEqual(stalePods([each], ["new"], since), isStale ? ["n/p"] : []);
        });
    }
});

describe("pods that should become ready", () => {
    it("are those that are neither ready nor finished", () => {
        const ready = { ...pod("n", undefined), status: { conditions: [{ type: "Ready", status: "True" }] } };
        const all = [ready, pod("n", undefined, "Succeeded"), pod("n", undefined, "Failed"), pod("n", undefined)];
        assert.deepEqual(unreadyPods(all), ["n/p"]);
        assert.deepEqual(unreadyPods(all.slice(0, 3)), []);
    });
});

describe("Deployments", () => {
    const deployment = (availableReplicas?: number) => ({
        metadata: { name: "d", namespace: "n" },
        spec: { replicas: 2 },
        status: { availableReplicas },
    });

    it("are waited for from creation until all of their pods are ready", () => {
        assert.deepEqual(unavailableDeployments([deployment(), deployment(1)]), ["Deployment n/d", "Deployment n/d"]);
        assert.deepEqual(unavailableDeployments([deployment(2)]), []);
    });
});
