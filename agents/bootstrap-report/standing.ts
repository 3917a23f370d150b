import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseStage, Standing } from "../bootstrap/standing";
import type { ToldStanding } from "../bootstrap-receiver/assets";
import { linesFile, linesWantedFile, type ReportPlan } from "./plan";

/** Within who asks has patience. */
const patienceMilliseconds = 15_000;

/** How far the bootstrap of this host is, and what its units and containers said last. */
export async function standingOf(plan: ReportPlan, patience = patienceMilliseconds): Promise<ToldStanding> {
    return { stage: stageOf(plan), lastLines: await lastLinesOf(plan, patience) };
}

function stageOf({ root, state }: ReportPlan): string {
    const log = join(root, state, "stages.jsonl");
    const standing = new Standing(0);
    const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : [];
    for (const line of lines) standing.take(parseStage(line));
    return standing.describe().replace(/^, /, "") || "its bootstrap has not begun";
}

/** The host is asked for them: there are no programs for its journal here. */
async function lastLinesOf({ root, state }: ReportPlan, patience: number): Promise<string> {
    const lines = join(root, state, linesFile);
    rmSync(lines, { force: true });
    writeFileSync(join(root, state, linesWantedFile), "");
    const deadline = performance.now() + patience;
    while (!existsSync(lines)) {
        if (performance.now() > deadline) return "its host does not tell the last lines of its units";
        await sleep(100);
    }
    return readFileSync(lines, "utf8");
}
