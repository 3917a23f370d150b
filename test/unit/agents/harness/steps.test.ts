import assert from "node:assert/strict";
import { printStep, runSteps, type Step, type StepEvent, StepFailed } from "../../../../agents/harness/steps";
import type { Patience } from "../../../../agents/harness/wait";

type Name = "dig" | "fill";
interface Run extends Patience {
    readonly plan: { readonly timeouts?: { readonly [name in Name]?: number } };
    depth: number;
}

const timeouts = { dig: 10, fill: 20 };
const dig: Step<Name, Run> = {
    name: "dig",
    run: async (run) => {
        run.report("there is a stone");
        run.depth = 3;
        return "a hole";
    },
};
const fill: Step<Name, Run> = { name: "fill", run: async ({ depth }) => `${depth} m filled` };
const failing: Step<Name, Run> = {
    name: "dig",
    run: async () => {
        throw new Error("rock\n  bottom");
    },
};

/** Events of the steps, without their times. */
async function eventsOf(...steps: Step<Name, Run>[]): Promise<string[]> {
    const events: StepEvent[] = [];
    const log = (event: StepEvent) => events.push(event);
    await runSteps(steps, { plan: {}, depth: 0 }, timeouts, log).catch((error) => {
        assert(error instanceof StepFailed);
        events.push({ step: "all", event: "failed", seconds: 0, message: error.message });
    });
    return events.map(({ step, event, message }) => `${step} ${event} ${message}`);
}

describe("the steps of an agent", () => {
    it("run in order, log what they wait for and do, and hand on what they found", async () => {
        assert.deepEqual(await eventsOf(dig, fill), [
            "dig start ",
            "dig retry there is a stone",
            "dig done a hole",
            "fill start ",
            "fill done 3 m filled",
        ]);
    });

    it("end with the first that fails", async () => {
        assert.deepEqual(await eventsOf(failing, fill), [
            "dig start ",
            "dig failed rock; bottom",
            "all failed dig: rock; bottom",
        ]);
    });

    it("have the time of the plan, or else their own", async () => {
        const seconds: number[] = [];
        const look = (name: Name): Step<Name, Run> => ({
            name,
            run: async ({ deadline }) => `${seconds.push(Math.round((deadline - performance.now()) / 1000))}`,
        });
        await runSteps([look("dig"), look("fill")], { plan: { timeouts: { fill: 5 } }, depth: 0 }, timeouts, () => {});
        assert.deepEqual(seconds, [10, 5]);
    });

    it("wait until a failure is logged", async () => {
        let isLogged = false;
        const log = async ({ event }: StepEvent) => {
            if (event !== "failed") return;
            await new Promise(setImmediate);
            isLogged = true;
        };
        await assert.rejects(runSteps([failing], { plan: {}, depth: 0 }, timeouts, log), StepFailed);
        assert(isLogged);
    });

    it("are printed in one line each, once there is something to say", () => {
        const lines: string[] = [];
        for (const event of ["start", "retry", "done", "failed"] as const) {
            printStep({ step: "dig", event, seconds: 1.26, message: "a hole" }, (line) => lines.push(line));
        }
        assert.deepEqual(lines, ["dig: a hole (1.3s)", "dig: a hole (1.3s)", "dig: failed: a hole (1.3s)"]);
    });
});
