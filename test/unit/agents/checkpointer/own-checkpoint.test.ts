import assert from "node:assert/strict";
import type { Observed } from "../../../../agents/checkpointer/decide";
import { defaultTimings } from "../../../../agents/checkpointer/plan";
import { type OwnPod, ownProblem } from "../../../../agents/checkpointer/standby";
import type { Checkpoint } from "../../../../agents/checkpointer/store";

const saved = (uid: string, generation: string) => ({ uid, generation }) as Checkpoint;
const observed = (generation: string, hasCrashed = false) =>
    ({ draft: { generation, hasCrashed, isReady: true, isSaved: false } }) as Observed;
const older = "the checkpoint of s was saved from another pod";

describe("a checkpointer's own checkpoint", () => {
    const cases: Record<string, readonly [Partial<OwnPod>, string | undefined]> = {
        "from its pod": [{ saved: saved("own", "2") }, undefined],
        "from its pod, with files that have changed since": [
            { saved: saved("own", "2"), observed: observed("3") },
            undefined,
        ],
        "the same content from another pod": [{ saved: saved("old", "2"), observed: observed("2") }, undefined],
        "from another pod": [{ saved: saved("old", "1"), observed: observed("2") }, older],
        "from another pod, however long this one has worked": [
            { saved: saved("old", "1"), observed: observed("2"), memory: { settledSince: 0 } },
            older,
        ],
        "from another pod, while the API is down": [{ saved: saved("old", "1") }, older],
        "from another pod, if this one can't be saved": [
            { saved: saved("old", "1"), refusal: "volume v is projected" },
            `${older}: volume v is projected`,
        ],
        "from another pod, if this one has crashed and just started": [
            { saved: saved("old", "1"), observed: observed("2", true), memory: { settledSince: 90 } },
            older,
        ],
        "from another pod, if this one has crashed and worked since": [
            { saved: saved("old", "1"), observed: observed("2", true), memory: { settledSince: 80 } },
            undefined,
        ],
    };
    for (const [what, [own, problem]] of Object.entries(cases)) {
        it(`is ${problem === undefined ? "" : "not "}reliable if it is ${what}`, () => {
            assert.equal(ownProblem({ self: "s", uid: "own", ...own }, 100, defaultTimings), problem);
        });
    }
});
