import { execFileSync } from "node:child_process";

/** Whether tests that take long for what they add run, too. */
export const isLong = process.env.TRADEWIND_LONG_TESTS === "1";

/** A test that takes long for what it adds: it runs when `TRADEWIND_LONG_TESTS` is 1. */
export const itTakesLong = isLong ? it : it.skip;

/** Half of what takes long and has something like it in the other half. A run has one of them, as the commit has it. */
const turns = [
    ["aws", "recovery from etcd", "reboot", "bad change"],
    ["digitalocean", "drill", "deletion", "faults"],
] as const;

type Turn = (typeof turns)[number][number];

/** Tests that a run makes in turn with others; in each run when `TRADEWIND_LONG_TESTS` is 1. */
export function describeInTurn(turn: Turn, title: string, tests: (this: Mocha.Suite) => void): void {
    (isTurnOf(turn) ? describe : describe.skip)(title, tests);
}

/** Like `describeInTurn`, of one test. */
export function itInTurn(turn: Turn, title: string, test: Mocha.AsyncFunc): void {
    (isTurnOf(turn) ? it : it.skip)(title, test);
}

function isTurnOf(turn: Turn): boolean {
    return turns.some((half: readonly Turn[], index) => half.includes(turn) && isTurn(index, turns.length));
}

/** Whether a run has this one of several that are alike: another one by each commit. */
export function isTurn(index: number, several: number): boolean {
    return isLong || commit() % several === index;
}

/** The same for each run of a commit. */
function commit(): number {
    try {
        return Number.parseInt(execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).slice(0, 4), 16);
    } catch {
        // A checkout without its history.
        return 0;
    }
}
