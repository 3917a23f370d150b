import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openUntil } from "../../agents/nodes/reboot-approver/decide";
import { handOnInterrupts, Interrupted, onSignals } from "../../command-line/interrupt";
import { replaceFile } from "../../command-line/replace-file";
import { type Engine, previewStack, unattended } from "../preview/engine";
import { clustersOf, isChange, type Preview } from "../preview/model";
import type { Previewed } from "../preview/render/comment";
import { versionChanges } from "../preview/versions";
import { rollingWorkloads } from "../preview/workloads";
import { readStackFile, type StackFile, withVersion } from "./stack-file";

/** How an update ended: `waits` for a window, or `failed`, with the reason. */
export type Outcome = { readonly result: "applied" } | { readonly result: "waits" | "failed"; readonly why: string };

/**
 * Updates a stack's cluster, if a window is open and nothing else is pending, and then writes the version into the
 * file. Until `up` has succeeded, the file keeps the earlier version; after an interruption, the next call goes on.
 *
 * @param engine - for a configuration file
 * @param now - in seconds since 1970
 */
export async function applyUpdate(
    file: StackFile,
    to: string,
    engine: (config: string) => Engine,
    now: number,
): Promise<Outcome> {
    if (file.windows.length > 0 && openUntil(file.windows, now) === undefined) {
        return { result: "waits", why: "no window of updateWindows is open" };
    }
    let isStopped = false;
    const stop = onSignals(() => {
        isStopped = true;
    });
    const folder = mkdtempSync(join(tmpdir(), "tradewind-update-"));
    try {
        const updated = join(folder, basename(file.path));
        writeFileSync(updated, withVersion(file, to), { mode: 0o600 });
        const problem = await problemOf(file, to, engine, updated);
        if (isStopped) throw new Interrupted();
        if (problem !== undefined) return { result: "failed", why: problem };
        const exitCode = await up(engine(updated));
        if (exitCode !== 0) {
            return { result: "failed", why: `pulumi up failed; ${file.path} still has the earlier version` };
        }
        return record(file, to);
    } finally {
        rmSync(folder, { recursive: true });
        stop();
    }
}

/** Writes the version into the file, as it is by now: someone may have edited it while `up` ran. */
function record({ path, version }: StackFile, to: string): Outcome {
    const current = readStackFile(path);
    if (current.version === version) replaceFile(path, withVersion(current, to));
    else if (current.version !== to) {
        const now = current.version ?? "none";
        return { result: "failed", why: `the cluster has ${to}, but ${path} was changed from ${version} to ${now}` };
    }
    return { result: "applied" };
}

/** Why the update must not be applied without a person. */
async function problemOf(
    file: StackFile,
    to: string,
    engine: (config: string) => Engine,
    updated: string,
): Promise<string | undefined> {
    const coming = await previewStack(file.path, engine(updated));
    if (coming.failure !== undefined) return `pulumi preview refuses ${to}: ${reasonOf(coming)}`;
    const present = await previewStack(file.path, engine(file.path));
    if (present.preview && isInterrupted(present.preview, to)) return undefined;
    if (present.failure !== undefined) return `pulumi preview fails before the update: ${reasonOf(present)}`;
    if (present.preview && isChange(present.preview)) {
        return "the stack has other changes, which pulumi preview shows: apply them, or revert them, first";
    }
    return undefined;
}

/** Whether an earlier call began this update: without it, programs would go back from that version. */
function isInterrupted(preview: Preview, to: string): boolean {
    return clustersOf(preview).some((cluster) =>
        versionChanges(rollingWorkloads(cluster), preview.diagnostics).some(({ from }) => from === to),
    );
}

function reasonOf({ failure, preview }: Previewed): string {
    const errors = preview?.diagnostics.filter(({ severity }) => severity === "error") ?? [];
    return [failure, ...errors.map(({ message }) => message)].filter(Boolean).join("\n").trim();
}

/**
 * Runs `pulumi up` with this command's terminal, in its own process group, so that Ctrl-C only reaches it through us.
 *
 * @returns its exit code. @throws Interrupted after it has ended
 */
async function up({ program, cwd, env, stack, config }: Engine): Promise<number> {
    const args = ["up", "--yes", "--skip-preview", ...stack, ...config, ...unattended];
    // Standard output is for results, as of the other commands.
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", 2, 2], detached: true });
    const stop = handOnInterrupts(child, () => console.error("interrupting: pulumi finishes what it has begun"));
    const exitCode = await new Promise<number>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", (code) => resolve(code ?? 1));
    }).finally(() => {
        if (stop()) throw new Interrupted();
    });
    return exitCode;
}
