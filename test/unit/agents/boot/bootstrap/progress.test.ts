import assert from "node:assert/strict";
import { BootstrapProgress, parseStage, type Stage } from "../../../../../agents/boot/bootstrap/progress";

const since = Date.parse("2026-11-22T10:00:00Z");
const at = (seconds: number) => new Date(since + seconds * 1000).toISOString();

function standing(...stages: Omit<Stage, "time">[]): BootstrapProgress {
    const result = new BootstrapProgress(since);
    stages.forEach((stage, index) => {
        result.take({ time: at(index), ...stage });
    });
    return result;
}

describe("the progress of a bootstrap", () => {
    const failed = { step: "apply-manifests", event: "failed", message: "403: no" } as const;
    // A restarted agent begins with the first step.
    const again = [
        { step: "verify-assets", event: "start" },
        { step: "verify-assets", event: "done" },
        { step: "apply-manifests", event: "start" },
    ] as const;
    const cases: [string, Omit<Stage, "time">[], string][] = [
        ["is empty before it begins", [], ""],
        ["is a step that began", [{ step: "wait-for-api", event: "start" }], ", step wait-for-api is not done"],
        [
            "is a waiting step, with what it waits for",
            [
                { step: "wait-for-api", event: "start" },
                { step: "wait-for-api", event: "retry", message: "waiting for the temporary kube-apiserver: refused" },
            ],
            ", step wait-for-api is not done: waiting for the temporary kube-apiserver: refused",
        ],
        ["is a failed step", [failed], ", step apply-manifests failed: 403: no"],
        [
            "is a failed step that is being retried",
            [failed, ...again, failed, ...again],
            ", step apply-manifests failed 2 times: 403: no",
        ],
        [
            "is a step after which nothing was logged",
            [{ step: "label-node", event: "done" }],
            ", nothing was logged after step label-node",
        ],
    ];
    for (const [title, stages, text] of cases) {
        it(title, () => assert.equal(standing(...stages).describe(), text));
    }

    it("is hopeless if a step fails repeatedly", () => {
        const tries = (count: number) => Array.from({ length: count }, () => [...again, failed]).flat();
        assert.equal(standing(...tries(9)).isHopeless, false);
        assert.equal(standing(...tries(10)).isHopeless, true);
        assert.equal(standing(...tries(10), { step: failed.step, event: "done" }).isHopeless, false);
    });

    it("is not hopeless after failures that an earlier `up` reported", () => {
        const result = new BootstrapProgress(since);
        for (let count = 0; count < 20; count++) result.take({ time: at(-60), ...failed });
        assert.equal(result.isHopeless, false);
        assert.equal(result.describe(), ", step apply-manifests failed: 403: no");
    });

    it("ignores a partial line", () => {
        const result = standing({ step: "hold", event: "start" });
        result.take(parseStage('{"time": "20'));
        assert.equal(result.describe(), ", step hold is not done");
    });
});
