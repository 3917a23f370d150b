import assert from "node:assert/strict";
import type { Sight } from "../../../../agents/checkpointer/decide";
import { defaultTimings } from "../../../../agents/checkpointer/plan";
import { type OwnPod, ownProblem } from "../../../../agents/checkpointer/standby";
import type { Checkpoint } from "../../../../agents/checkpointer/store";

const saved = (uid: string, generation: string) => ({ uid, generation }) as Checkpoint;
const sight = (generation: string, hasCrashed = false) =>
    ({ draft: { generation, hasCrashed, isReady: true, isSaved: false } }) as Sight;
const older = "the checkpoint of s is that of another pod";

describe("a checkpointer's own checkpoint", () => {
    const cases: Record<string, readonly [Partial<OwnPod>, string | undefined]> = {
        "of its pod": [{ saved: saved("own", "2") }, undefined],
        "of its pod, with files that have changed since": [{ saved: saved("own", "2"), sight: sight("3") }, undefined],
        "the same of another pod": [{ saved: saved("old", "2"), sight: sight("2") }, undefined],
        "of another pod": [{ saved: saved("old", "1"), sight: sight("2") }, older],
        "of another pod, however long this one has worked": [
            { saved: saved("old", "1"), sight: sight("2"), memory: { settledSince: 0 } },
            older,
        ],
        "of another pod, while the API is away": [{ saved: saved("old", "1") }, older],
        "of another pod, where this one can't be saved": [
            { saved: saved("old", "1"), refusal: "volume v is projected" },
            `${older}: volume v is projected`,
        ],
        "of another pod, where this one has crashed and just begun": [
            { saved: saved("old", "1"), sight: sight("2", true), memory: { settledSince: 90 } },
            older,
        ],
        "of another pod, where this one has crashed and worked since": [
            { saved: saved("old", "1"), sight: sight("2", true), memory: { settledSince: 80 } },
            undefined,
        ],
    };
    for (const [what, [own, problem]] of Object.entries(cases)) {
        it(`is ${problem === undefined ? "" : "not "}what its node will go on with, ${what}`, () => {
            assert.equal(ownProblem({ self: "s", uid: "own", ...own }, 100, defaultTimings), problem);
        });
    }
});
