import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { parseStage, Standing } from "../bootstrap/standing";
import type { ToldStanding } from "../bootstrap-receiver/assets";
import { lastLinesScript } from "../common/last-lines";
import type { ReportPlan } from "./plan";

const timeout = 15_000;

/** How far the bootstrap of this host is, and what its units and containers said last. */
export async function standingOf(plan: ReportPlan): Promise<ToldStanding> {
    return { stage: stageOf(plan), lastLines: await lastLinesOf(plan) };
}

function stageOf({ root, state }: ReportPlan): string {
    const log = join(root, state, "stages.jsonl");
    const standing = new Standing(0);
    const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : [];
    for (const line of lines) standing.take(parseStage(line));
    return standing.describe().replace(/^, /, "") || "its bootstrap has not begun";
}

/** By the host's own programs: there are none for its journal here. */
async function lastLinesOf({ root }: ReportPlan): Promise<string> {
    const env = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", SYSTEMD_IGNORE_CHROOT: "1" };
    try {
        const command = ["/bin/sh", "-c", lastLinesScript];
        return (await promisify(execFile)("/usr/sbin/chroot", [root, ...command], { env, timeout })).stdout;
    } catch (error) {
        return `no journal: ${(error as Error).message}`;
    }
}
