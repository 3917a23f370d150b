import { execFileSync } from "node:child_process";

/** Whether tests that take long for what they add run, too. */
export const isLong = process.env.TRADEWIND_LONG_TESTS === "1";

/** All that goldens are of has to run when they are written anew. */
const renewsGoldens = (process.env.UPDATE_GOLDEN ?? process.env.RECORD_EVENTS) !== undefined;

/** A test that takes long for what it adds: it runs when `TRADEWIND_LONG_TESTS` is 1. */
export const itTakesLong = isLong ? it : it.skip;

/** What takes long, beside what is like it. A run has one of each pair, as a bit of the commit says that is the pair's own. */
const pairs = [
    ["aws", "digitalocean"],
    ["recovery from etcd", "drill"],
    ["reboot", "deletion"],
    ["bad change", "faults"],
    ["one controller", "three controllers"],
    ["kubernetes' stand-in", "other stand-ins"],
    ["authorities of Kubernetes", "authorities of etcd"],
    ["interrupted start", "power cut"],
    ["previews", "comments and plugin"],
    ["snapshots", "removals"],
] as const;

type Turn = (typeof pairs)[number][number];

/** Tests that a run makes in turn with others, when it is the turn of all that are named; in each run when `TRADEWIND_LONG_TESTS` is 1. */
export function describeInTurn(turns: Turn | readonly Turn[], title: string, tests: (this: Mocha.Suite) => void): void {
    ([turns].flat().every(isTurnOf) ? describe : describe.skip)(title, tests);
}

/** The turn in which a cloud is on paper: that of the one whose machines are booted. */
export function onPaper(cloud: "aws" | "digitalocean"): Turn {
    return cloud === "aws" ? "digitalocean" : "aws";
}

/** Like `describeInTurn`, of one test. */
export function itInTurn(turn: Turn, title: string, test: Mocha.AsyncFunc): void {
    (isTurnOf(turn) ? it : it.skip)(title, test);
}

/** Whether a run has that one of its pair. */
export function isTurnOf(turn: Turn): boolean {
    const bit = pairs.findIndex((pair: readonly Turn[]) => pair.includes(turn));
    return isLong || renewsGoldens || (commit() >> bit) % 2 === (pairs[bit] as readonly Turn[]).indexOf(turn);
}

/** Whether a run has this one of several that are alike: another one by each commit. */
export function isTurn(index: number, several: number): boolean {
    return isLong || commit() % several === index;
}

let told: number | undefined;

/** The same for each run of a commit. */
function commit(): number {
    told ??= startOfHash();
    return told;
}

function startOfHash(): number {
    try {
        return Number.parseInt(execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).slice(0, 4), 16);
    } catch {
        // A checkout without its history.
        return 0;
    }
}
