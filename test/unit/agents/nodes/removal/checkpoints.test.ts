import assert from "node:assert/strict";
import { keptCheckpoints, type Node } from "../../../../../agents/nodes/removal/nodes";

const node = (told?: string): Node => ({
    metadata: { name: "c-controller-1", ...(told && { annotations: { "tradewind.dev/checkpoints": told } }) },
});
const checkpoint = { generation: "1a", savedAt: "2026-11-21T12:00:00Z" };

describe("what a controller that leaves still keeps", () => {
    const cases: [string, object | undefined, string | undefined][] = [
        ["is nothing when it never had a checkpointer", undefined, undefined],
        [
            "is nothing when its pods run and nothing is saved",
            { "kube-system/kube-apiserver": { runs: "api" } },
            undefined,
        ],
        [
            "is nothing when only the checkpointer has its own",
            { "kube-system/checkpointer": { checkpoint } },
            undefined,
        ],
        [
            "is what is saved, by its parents",
            {
                "kube-system/checkpointer": { runs: "api", checkpoint },
                "kube-system/kube-apiserver": { runs: "api", checkpoint },
                "kube-system/kube-scheduler": { runs: "checkpoint", checkpoint },
                "kube-system/kube-proxy": { runs: "api" },
            },
            "c-controller-1 has those of kube-system/kube-apiserver, kube-system/kube-scheduler",
        ],
    ];
    for (const [title, status, kept] of cases) {
        it(title, () => assert.equal(keptCheckpoints(node(status && JSON.stringify(status))), kept));
    }

    for (const told of ["{", "null"]) {
        it(`is not known when it says ${told}`, () => {
            const unread = "c-controller-1 has a tradewind.dev/checkpoints that nobody can read";
            assert.equal(keptCheckpoints(node(told)), unread);
        });
    }
});
