import assert from "node:assert/strict";
import { checkpointsOf } from "../../../../../agents/nodes/removal/nodes";
import type { Node } from "../../../../../clients/kubernetes/objects";

const node = (told?: string): Node => ({
    metadata: { name: "c-controller-1", ...(told && { annotations: { "tradewind.dev/checkpoints": told } }) },
});
const checkpoint = { generation: "1a", savedAt: "2026-11-21T12:00:00Z" };

describe("the remaining checkpoints of a controller that is being removed", () => {
    const cases: [string, object | undefined, string | undefined][] = [
        ["are none if it never had a checkpointer", undefined, undefined],
        ["are none if its pods run and nothing is saved", { "kube-system/kube-apiserver": { runs: "api" } }, undefined],
        ["are none if only the checkpointer has its own", { "kube-system/checkpointer": { checkpoint } }, undefined],
        [
            "are listed by their parents",
            {
                "kube-system/checkpointer": { runs: "api", checkpoint },
                "kube-system/kube-apiserver": { runs: "api", checkpoint },
                "kube-system/kube-scheduler": { runs: "checkpoint", checkpoint },
                "kube-system/kube-proxy": { runs: "api" },
            },
            "c-controller-1 has checkpoints of kube-system/kube-apiserver, kube-system/kube-scheduler",
        ],
    ];
    for (const [title, status, kept] of cases) {
        it(title, () => assert.equal(checkpointsOf(node(status && JSON.stringify(status))), kept));
    }

    for (const told of ["{", "null"]) {
        it(`are unknown if the status is ${told}`, () => {
            const unread = "c-controller-1 has an unreadable tradewind.dev/checkpoints";
            assert.equal(checkpointsOf(node(told)), unread);
        });
    }
});
