import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Interrupted } from "../../command-line/interrupt";
import { invalidOption } from "../../command-line/parse";
import { type RunOptions, runHere } from "../../command-line/run-here";
import { isLong } from "../../test/takes-long";
import { fileLanes, type Lane, mochaArgs, wavesOf } from "./lanes";
import { recordLongTests } from "./long-tests";
import { metInFolder, recordMet } from "./met";
import type { Summary } from "./reporter";
import { collectTestLogs, type Setting, setUp, TIERS, type Tier } from "./setup";
import { changedBetween, type Modified, modifiedFiles } from "./tracked";

/** Maximum duration of a run; a longer one hangs. Below the 90 minutes after which CI ends it without a result. */
const LIMIT_MS = 86 * 60_000;

/** `npm test`: type check, lint and every tier; `npm test -- <tier or file>…`: only those. */
export async function main(args: readonly string[]): Promise<number> {
    const waves = parseWaves(args);
    const deadline = Date.now() + LIMIT_MS;
    const summaries: Summary[] = [];
    // Elsewhere, a person may edit files during a run.
    const tracked = process.env.CI && !recordsRuns ? modifiedFiles(ROOT) : undefined;
    // In parallel with the first wave: each uses only one core.
    const checks = args.length === 0 ? startChecks(deadline) : [];
    const met = mkdtempSync(join(tmpdir(), "tradewind-met-"));
    process.env.TRADEWIND_MET_FOLDER = met;
    const interrupt = new AbortController();
    process.once("SIGINT", () => interrupt.abort());
    const settings = new Settings((line) => console.log(`    ${line}`));
    try {
        for (const wave of waves) {
            if (interrupt.signal.aborted) {
                throw new Interrupted();
            }
            summaries.push(await runWave(wave, settings, deadline));
        }
    } finally {
        await settings.tearDown();
    }
    const unchanged = tracked ? [trackedChanges(tracked, modifiedFiles(ROOT) ?? {})] : [];
    const total = addUp([...(await Promise.all(checks)), ...summaries, ...unchanged]);
    record(total, met);
    rmSync(met, { recursive: true });
    heading("result");
    console.log(renderTotal(total));
    return total.failed.length === 0 ? 0 : 1;
}

/** Whether the run shall update golden files or the tables of runs in the documentation. */
const isUpdate = process.env.UPDATE_GOLDEN !== undefined;
const recordsRuns = isLong || isUpdate;

/** An ordinary run changes no tracked file, which counts as one test. */
export function trackedChanges(before: Modified, after: Modified): Summary {
    const changed = changedBetween(before, after);
    const failed = changed.length > 0 ? [`npm test changed tracked files: ${changed.join(", ")}`] : [];
    return { passed: 1 - failed.length, skipped: 0, failed };
}

/** Updates the tables of runs in the documentation. */
function record({ long = [] }: Summary, met: string): void {
    if (!recordsRuns) return;
    recordLongTests(join(ROOT, "CONTRIBUTING.md"), long, new Date().toISOString().slice(0, 10));
    recordMet(join(ROOT, "docs/hostile-clouds.md"), metInFolder(met), isUpdate);
}

/** What to run: test files in the given order, or the given tiers, or all tiers. */
export function parseWaves(args: readonly string[]): readonly (readonly Lane[])[] {
    const areFiles = args.length > 0 && args.every((arg) => arg.endsWith(".test.ts"));
    if (!areFiles) return wavesOf(parseTiers(args));
    const missing = args.find((file) => !existsSync(join(ROOT, file)));
    if (missing !== undefined) throw invalidOption("file", "a test file: test/…/*.test.ts", missing);
    return [fileLanes(args)];
}

/** The given tiers, or all. */
export function parseTiers(args: readonly string[]): readonly Tier[] {
    const unknown = args.find((arg) => !TIERS.includes(arg as Tier));
    if (unknown !== undefined) {
        throw invalidOption("tier", TIERS.join(", "), unknown);
    }
    return args.length === 0 ? TIERS : TIERS.filter((tier) => args.includes(tier));
}

/** Failed tests, the number of skipped ones, and a last line with counts, which scripts parse. */
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

/** Sets up the tiers of its lanes, and runs the lanes whose setup succeeded. */
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

const ROOT = join(__dirname, "../..");
const PACKAGES = join(ROOT, "node_modules");

/**
 * Niceness of CPU-bound work next to clusters, which mostly wait, with timeouts. All cores are busy either way.
 */
const NICE = 10;

/** The type check or lint, counted as one test. @param command - path of a program in the npm packages */
async function runCheck(command: string, args: readonly string[], deadline: number): Promise<Summary> {
    const exitCode = await runHere(join(PACKAGES, command), args, { deadline, niceness: NICE });
    const failed = exitCode === 0 ? [] : [`${[command, ...args].join(" ")} (exit code ${exitCode})`];
    return { passed: exitCode === 0 ? 1 : 0, skipped: 0, failed };
}

/** Runs lanes with mocha in parallel. @param envOf - additional environment for the tests of each tier */
async function runLanes(lanes: readonly Lane[], envOf: EnvOf, deadline: number): Promise<Summary> {
    const width = Math.max(...lanes.map(({ name }) => name.length));
    const printer = ({ name }: Lane) =>
        lanes.length > 1 ? (line: string) => console.log(`${name.padEnd(width)} | ${line}`) : undefined;
    const run = (lane: Lane) => runLane(lane, { env: envOf(lane.tier), deadline, print: printer(lane) });
    return addUp(await Promise.all(lanes.map(run)));
}

type EnvOf = (tier: Tier) => NodeJS.ProcessEnv;

/** How many lines of a lane that ended early are repeated in the result, which is often all that is kept of a run. */
const LAST_LINES = 20;

/** A lane without tests, or that does not run to completion, has failed. */
async function runLane(lane: Lane, { env, deadline, print }: RunOptions): Promise<Summary> {
    const scratch = mkdtempSync(join(tmpdir(), "tradewind-test-"));
    const file = join(scratch, "summary.json");
    const last: string[] = [];
    const printAndKeep = (line: string) => {
        if (line.trim() !== "") last.push(line);
        if (last.length > LAST_LINES) last.shift();
        print?.(line);
    };
    try {
        const exitCode = await runHere(join(PACKAGES, ".bin/mocha"), mochaArgs(ROOT, lane), {
            deadline,
            ...(lane.tier !== "cluster" && { niceness: NICE }),
            // Temporary files of tests are removed together with this folder.
            env: { ...process.env, ...env, TMPDIR: scratch, TRADEWIND_TEST_SUMMARY: file },
            print: print && printAndKeep,
        });
        const summary: Summary | undefined = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
        return summary === undefined || (exitCode !== 0 && summary.failed.length === 0)
            ? {
                  passed: 0,
                  skipped: 0,
                  failed: [[`${lane.name}: ended early (exit code ${exitCode})`, ...last].join("\n    ")],
              }
            : requireTests(lane.name, summary);
    } finally {
        rmSync(scratch, { recursive: true, force: true });
    }
}

/** Merges summaries. */
export function addUp(summaries: readonly Summary[]): Summary {
    return {
        passed: summaries.reduce((sum, { passed }) => sum + passed, 0),
        skipped: summaries.reduce((sum, { skipped }) => sum + skipped, 0),
        failed: summaries.flatMap(({ failed }) => failed),
        long: summaries.flatMap(({ long = [] }) => long),
    };
}

/** A glob without matches must not look like success. */
export function requireTests(lane: string, summary: Summary): Summary {
    const { passed, failed } = summary;
    return passed + failed.length > 0 ? summary : { ...summary, failed: [`${lane}: no test ran`] };
}

/** The environments of tiers in a run: set up for the first lane of a tier, kept until the run ends. */
class Settings {
    private readonly settings = new Map<Tier, Setting | undefined>();

    /** @param say - receives lines of progress */
    constructor(private readonly say: (line: string) => void) {}

    /** Sets up tiers that are not set up yet; resolves to the errors, which fail only their own tiers. */
    async prepare(tiers: readonly Tier[]): Promise<readonly string[]> {
        const failed: string[] = [];
        for (const tier of new Set(tiers)) {
            if (this.settings.has(tier)) continue;
            try {
                this.settings.set(tier, await setUp(tier, this.say));
            } catch (error) {
                console.error((error as Error).stack);
                this.settings.set(tier, undefined);
                failed.push(`${tier}: ${(error as Error).message}`);
            }
        }
        return failed;
    }

    /** Undefined if the setup failed. */
    of(tier: Tier): Setting | undefined {
        return this.settings.get(tier);
    }

    /** Removes what only the tests needed. */
    async tearDown(): Promise<void> {
        for (const setting of this.settings.values()) {
            await setting?.tearDown?.();
        }
    }
}
