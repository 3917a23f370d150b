import assert from "node:assert/strict";
import { parseStage, type Stage, Standing } from "../../../../../agents/boot/bootstrap/progress";

const since = Date.parse("2026-11-22T10:00:00Z");
const at = (seconds: number) => new Date(since + seconds * 1000).toISOString();

function standing(...stages: Omit<Stage, "time">[]): Standing {
    const result = new Standing(since);
    stages.forEach((stage, index) => {
        result.take({ time: at(index), ...stage });
    });
    return result;
}

describe("where a bootstrap stands", () => {
    const failed = { step: "apply-manifests", event: "failed", message: "403: no" } as const;
    // An agent that is started again begins with the first step.
    const again = [
        { step: "verify-assets", event: "start" },
        { step: "verify-assets", event: "done" },
        { step: "apply-manifests", event: "start" },
    ] as const;
    const cases: [string, Omit<Stage, "time">[], string][] = [
        ["nowhere before it began", [], ""],
        ["at a step that began", [{ step: "wait-for-api", event: "start" }], ", its step wait-for-api is not done"],
        [
            "at a step that waits, and for what",
            [
                { step: "wait-for-api", event: "start" },
                { step: "wait-for-api", event: "retry", message: "waiting for the temporary kube-apiserver: refused" },
            ],
            ", its step wait-for-api is not done: waiting for the temporary kube-apiserver: refused",
        ],
        ["at a step that failed", [failed], ", its step apply-manifests failed: 403: no"],
        [
            "at a step that failed, when it is tried again",
            [failed, ...again, failed, ...again],
            ", its step apply-manifests failed 2 times: 403: no",
        ],
        [
            "after a step that nothing came after",
            [{ step: "label-node", event: "done" }],
            ", nothing came after its step label-node",
        ],
    ];
    for (const [title, stages, text] of cases) {
        it(title, () => assert.equal(standing(...stages).describe(), text));
    }

    it("is hopeless when a step fails again and again", () => {
        const tries = (count: number) => Array.from({ length: count }, () => [...again, failed]).flat();
        assert.equal(standing(...tries(9)).isHopeless, false);
        assert.equal(standing(...tries(10)).isHopeless, true);
        assert.equal(standing(...tries(10), { step: failed.step, event: "done" }).isHopeless, false);
    });

    it("is not hopeless for failures that an earlier `up` told", () => {
        const result = new Standing(since);
        for (let count = 0; count < 20; count++) result.take({ time: at(-60), ...failed });
        assert.equal(result.isHopeless, false);
        assert.equal(result.describe(), ", its step apply-manifests failed: 403: no");
    });

    it("is not told by half a line", () => {
        const result = standing({ step: "hold", event: "start" });
        result.take(parseStage('{"time": "20'));
        assert.equal(result.describe(), ", its step hold is not done");
    });
});
