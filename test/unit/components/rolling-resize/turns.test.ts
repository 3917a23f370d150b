import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { Turns } from "../../../../components/rolling-resize/hooks";

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
