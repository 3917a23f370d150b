import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runHere } from "./run-here";
import type { Summary } from "./test-reporter";

const ROOT = join(__dirname, "..");
const BIN = join(ROOT, "node_modules/.bin");
// Files at a time, for the two cores that every machine has; many of them wait for programs that need one each.
const JOBS = "2";

/** The type check or the lint: each counts as one test. */
export async function runCheck(command: string, args: readonly string[], deadline: number): Promise<Summary> {
    const exitCode = await runHere(join(BIN, command), args, { deadline });
    const failed = exitCode === 0 ? [] : [`${[command, ...args].join(" ")} (exit code ${exitCode})`];
    return { passed: exitCode === 0 ? 1 : 0, skipped: 0, failed };
}

/** Runs the tests of a tier with mocha; one that has none, or that does not run to its end, has failed. */
export async function runTier(tier: string, env: NodeJS.ProcessEnv, deadline: number): Promise<Summary> {
    const scratch = mkdtempSync(join(tmpdir(), "tradewind-test-"));
    const file = join(scratch, "summary.json");
    const hooks = `./test/${tier}/hooks.ts`;
    const files = `test/${tier}/**/*.test.ts`;
    const args = [
        ...["--require", "tsx/cjs", ...(existsSync(join(ROOT, hooks)) ? ["--require", hooks] : [])],
        ...["--reporter", "./cli/test-reporter.ts"],
        // Clusters are shared by files, and each of them takes a machine's worth of memory.
        ...(tier === "cluster" ? [] : ["--parallel", "--jobs", JOBS]),
        files,
    ];
    try {
        const exitCode = await runHere(join(BIN, "mocha"), args, {
            deadline,
            env: { ...process.env, ...env, TRADEWIND_TEST_SUMMARY: file },
        });
        const summary: Summary | undefined = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
        return summary === undefined || (exitCode !== 0 && summary.failed.length === 0)
            ? { passed: 0, skipped: 0, failed: [`${files}: ended early (exit code ${exitCode})`] }
            : requireTests(tier, summary);
    } finally {
        rmSync(scratch, { recursive: true });
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
export function requireTests(tier: string, summary: Summary): Summary {
    const { passed, failed } = summary;
    return passed + failed.length > 0 ? summary : { ...summary, failed: [`${tier}: no test ran`] };
}
