import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { pauseAfter, Turns } from "../../../../components/rolling-resize/hooks";

describe("turns of machines", () => {
    it("are taken one at a time, in order of request", async () => {
        const turns = new Turns();
        const gone: string[] = [];
        const taken = ["a", "b", "c"].map((machine) => turns.take(machine).then(() => gone.push(machine)));
        for (const machine of ["a", "b", "c"]) {
            await setImmediate();
            assert.equal(gone.at(-1), machine);
            turns.give(machine);
        }
        await Promise.all(taken);
        await turns.take("a");
    });

    it("stop after a machine that did not come back or could not be changed", async () => {
        const turns = new Turns();
        await turns.take("a");
        const others = ["b", "c"].map((machine) => turns.take(machine));
        turns.fail("a", "a is not Ready");
        for (const [index, machine] of ["b", "c"].entries()) {
            await assert.rejects(others[index]!, { message: `${machine} was not changed: a is not Ready` });
        }
        await assert.rejects(turns.take("d"), { message: "d was not changed: a is not Ready" });
    });
});

describe("a change that cannot be made at the moment", () => {
    it("is tried again after a second, less and less often, for ten minutes", () => {
        const pauses: number[] = [];
        for (let pause = pauseAfter(1); pause !== undefined; pause = pauseAfter(pauses.length + 1)) pauses.push(pause);
        assert.deepEqual(pauses.slice(0, 7), [1, 2, 4, 8, 16, 30, 30]);
        assert.equal(Math.round(pauses.reduce((sum, each) => sum + each) / 60), 10);
    });
});
