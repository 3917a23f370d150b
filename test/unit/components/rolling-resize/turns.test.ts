import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { Turns } from "../../../../components/rolling-resize/hooks";

describe("turns of machines", () => {
    it("come one after another, in the order in which they were asked for", async () => {
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

    it("are nobody's after one did not come back, nor after one that could not go", async () => {
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
