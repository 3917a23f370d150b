import { join } from "node:path";
import { Interrupted } from "./interrupt";
import { addUp, runCheck, runTier } from "./test-checks";
import { collectTestLogs } from "./test-clusters";
import type { Summary } from "./test-reporter";
import { setUp, TIERS, type Tier } from "./test-setup";
import { invalidOption } from "./usage-error";

/** A run that takes longer hangs. */
const LIMIT_MS = 58 * 60_000;

/** `npm test`: the type check, the lint and every tier; `npm test <tier>…`: just those. */
export async function main(args: readonly string[]): Promise<number> {
    const tiers = parseTiers(args);
    const deadline = Date.now() + LIMIT_MS;
    const summaries: Summary[] = [];
    // Beside the first tier: each of them takes but one core.
    const checks = args.length === 0 ? startChecks(deadline) : [];
    const interrupt = new AbortController();
    process.once("SIGINT", () => interrupt.abort());
    for (const tier of tiers) {
        if (interrupt.signal.aborted) {
            throw new Interrupted();
        }
        heading(`${tier} tests`);
        summaries.push(await testTier(tier, deadline));
    }
    const total = addUp([...(await Promise.all(checks)), ...summaries]);
    heading("result");
    console.log(renderTotal(total));
    return total.failed.length === 0 ? 0 : 1;
}

/** The tiers asked for, or all. */
export function parseTiers(args: readonly string[]): readonly Tier[] {
    const unknown = args.find((arg) => !TIERS.includes(arg as Tier));
    if (unknown !== undefined) {
        throw invalidOption("tier", TIERS.join(", "), unknown);
    }
    return args.length === 0 ? TIERS : TIERS.filter((tier) => args.includes(tier));
}

/** What failed, what was skipped, and as the last line the count that scripts read. */
export function renderTotal({ passed, skipped, failed }: Summary): string {
    const lines = failed.map((title) => `failed: ${title}`);
    if (skipped > 0) {
        lines.push(`${skipped} skipped`);
    }
    return [...lines, `${passed} passed, ${failed.length} failed`].join("\n");
}

function startChecks(deadline: number): readonly Promise<Summary>[] {
    heading("type check and lint");
    return [
        runCheck("typescript-native/bin/tsc", ["--noEmit"], deadline),
        runCheck(".bin/biome", ["check", "--error-on-warnings", "."], deadline),
    ];
}

/** Sets up, runs, cleans up; a failed set-up is a failure of the tier, and the other tiers run all the same. */
async function testTier(tier: Tier, deadline: number): Promise<Summary> {
    let summary: Summary;
    try {
        const { env, logs, tearDown } = await setUp(tier, (line) => console.log(`    ${line}`));
        try {
            summary = await runTier(tier, env, deadline);
            if (summary.failed.length > 0 && logs) {
                await collectTestLogs(join(logs, "end"));
                console.log(`the logs of every machine are in ${logs}`);
            }
        } finally {
            await tearDown?.();
        }
    } catch (error) {
        console.error((error as Error).stack);
        return { passed: 0, skipped: 0, failed: [`${tier}: ${(error as Error).message}`] };
    }
    return summary;
}

function heading(text: string): void {
    console.log(`\n==> ${text}`);
}
