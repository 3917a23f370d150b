import { join } from "node:path";
import { Interrupted } from "./interrupt";
import { addUp, runCheck, runLanes } from "./test-checks";
import { collectTestLogs } from "./test-clusters";
import { type Lane, wavesOf } from "./test-lanes";
import type { Summary } from "./test-reporter";
import { Settings } from "./test-settings";
import { TIERS, type Tier } from "./test-setup";
import { invalidOption } from "./usage-error";

/** A run that takes longer hangs. */
const LIMIT_MS = 78 * 60_000;

/** `npm test`: the type check, the lint and every tier; `npm test <tier>…`: just those. */
export async function main(args: readonly string[]): Promise<number> {
    const tiers = parseTiers(args);
    const deadline = Date.now() + LIMIT_MS;
    const summaries: Summary[] = [];
    // Beside the first wave: each of them takes but one core.
    const checks = args.length === 0 ? startChecks(deadline) : [];
    const interrupt = new AbortController();
    process.once("SIGINT", () => interrupt.abort());
    const settings = new Settings((line) => console.log(`    ${line}`));
    try {
        for (const wave of wavesOf(tiers)) {
            if (interrupt.signal.aborted) {
                throw new Interrupted();
            }
            summaries.push(await runWave(wave, settings, deadline));
        }
    } finally {
        await settings.tearDown();
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

/** Sets up what its lanes run in, and runs those for which that went well. */
async function runWave(wave: readonly Lane[], settings: Settings, deadline: number): Promise<Summary> {
    heading(`${[...new Set(wave.map(({ tier }) => tier))].join(", ")} tests`);
    const failed = await settings.prepare(wave.map(({ tier }) => tier));
    const ready = wave.filter(({ tier }) => settings.of(tier) !== undefined);
    if (ready.length === 0) {
        return { passed: 0, skipped: 0, failed };
    }
    const summary = await runLanes(ready, (tier) => settings.of(tier)!.env, deadline);
    const logs = summary.failed.length > 0 && settings.of("cluster")?.logs;
    if (logs) {
        await collectTestLogs(join(logs, "end"));
        console.log(`the logs of every machine are in ${logs}`);
    }
    return { ...summary, failed: [...failed, ...summary.failed] };
}

function heading(text: string): void {
    console.log(`\n==> ${text}`);
}
