import { execFileSync } from "node:child_process";

const isLong = process.env.TRADEWIND_LONG_TESTS === "1";

/** A test that takes long for what it adds: it runs when `TRADEWIND_LONG_TESTS` is 1. */
export const itTakesLong = isLong ? it : it.skip;

const clouds = ["aws", "digitalocean"] as const;

/**
 * The cluster of a cloud. A run makes one, now of this cloud and now of that, as the commit has it; of all when
 * `TRADEWIND_LONG_TESTS` is 1. On paper both are made in every run: test/engine.
 */
export function describeInTurn(
    cloud: (typeof clouds)[number],
    title: string,
    tests: (this: Mocha.Suite) => void,
): void {
    (isLong || clouds[turn() % clouds.length] === cloud ? describe : describe.skip)(title, tests);
}

/** The same for each run of a commit. */
function turn(): number {
    try {
        return Number.parseInt(execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).slice(0, 4), 16);
    } catch {
        // A checkout without its history.
        return 0;
    }
}
