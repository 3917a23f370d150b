import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunOptions, runHere } from "./run-here";
import { type Lane, mochaArgs } from "./test-lanes";
import type { Summary } from "./test-reporter";
import type { Tier } from "./test-setup";

const ROOT = join(__dirname, "..");
const PACKAGES = join(ROOT, "node_modules");

/**
 * Of what computes all the time, beside clusters: those wait most of the time, and what they wait for has time limits. Each
 * core has its work either way.
 */
const NICE = 10;

/** The type check or the lint: each counts as one test. @param command - a program of the npm packages, by its path in them */
export async function runCheck(command: string, args: readonly string[], deadline: number): Promise<Summary> {
    const exitCode = await runHere(join(PACKAGES, command), args, { deadline, niceness: NICE });
    const failed = exitCode === 0 ? [] : [`${[command, ...args].join(" ")} (exit code ${exitCode})`];
    return { passed: exitCode === 0 ? 1 : 0, skipped: 0, failed };
}

/** Runs lanes with mocha, beside each other. @param envOf - what the tests of each tier run in, beside this process's */
export async function runLanes(lanes: readonly Lane[], envOf: EnvOf, deadline: number): Promise<Summary> {
    const width = Math.max(...lanes.map(({ name }) => name.length));
    const printer = ({ name }: Lane) =>
        lanes.length > 1 ? (line: string) => console.log(`${name.padEnd(width)} | ${line}`) : undefined;
    const run = (lane: Lane) => runLane(lane, { env: envOf(lane.tier), deadline, print: printer(lane) });
    return addUp(await Promise.all(lanes.map(run)));
}

type EnvOf = (tier: Tier) => NodeJS.ProcessEnv;

/** One that has no tests, or that does not run to its end, has failed. */
async function runLane(lane: Lane, { env, deadline, print }: RunOptions): Promise<Summary> {
    const scratch = mkdtempSync(join(tmpdir(), "tradewind-test-"));
    const file = join(scratch, "summary.json");
    try {
        const exitCode = await runHere(join(PACKAGES, ".bin/mocha"), mochaArgs(ROOT, lane), {
            deadline,
            ...(lane.tier !== "cluster" && { niceness: NICE }),
            // What tests leave in the folder for temporary files goes with it.
            env: { ...process.env, ...env, TMPDIR: scratch, TRADEWIND_TEST_SUMMARY: file },
            print,
        });
        const summary: Summary | undefined = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
        return summary === undefined || (exitCode !== 0 && summary.failed.length === 0)
            ? { passed: 0, skipped: 0, failed: [`${lane.name}: ended early (exit code ${exitCode})`] }
            : requireTests(lane.name, summary);
    } finally {
        rmSync(scratch, { recursive: true, force: true });
    }
}

/** Several summaries as one. */
export function addUp(summaries: readonly Summary[]): Summary {
    return {
        passed: summaries.reduce((sum, { passed }) => sum + passed, 0),
        skipped: summaries.reduce((sum, { skipped }) => sum + skipped, 0),
        failed: summaries.flatMap(({ failed }) => failed),
    };
}

/** A glob that matches nothing must not look like success. */
export function requireTests(lane: string, summary: Summary): Summary {
    const { passed, failed } = summary;
    return passed + failed.length > 0 ? summary : { ...summary, failed: [`${lane}: no test ran`] };
}
