import { chmodSync, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describePassing } from "../../../../clients/kubernetes/api-error";
import { probe } from "../../../../clients/probe";
import { Timeout, waitFor } from "../../../harness/wait";
import { readManifests } from "../manifests";
import { readPivotRecord } from "../pivot-record";
import type { BootstrapPlan } from "../plan";
import type { Run, State, Step } from "../run";

const defaultGraceSeconds = 5;

/**
 * Finds out how far earlier runs got.
 *
 * After a power cut nothing serves the API: the kubelet starts no self-hosted pods until it can list them. So copies are
 * needed whenever the API does not answer, whatever the journal says.
 */
export const findState: Step = {
    name: "find-state",
    run: async (run) => {
        run.state = await find(run);
        return describe(run);
    },
};

async function find(run: Run): Promise<State> {
    const record = await askForPivot(run);
    if (run.plan.recovery) {
        // For the whole grace period: an API that serves now may be a broken copy, or fail in a moment.
        const pivotedAt = record === "no answer" ? undefined : record && (record.pivotedAt ?? "an unknown time");
        return { isApiUp: record !== "no answer", pivotedAt, needsCopies: true };
    }
    if (record === "no answer") {
        return { isApiUp: false, needsCopies: true };
    }
    if (record !== undefined) {
        return { isApiUp: true, pivotedAt: record.pivotedAt ?? "an unknown time", needsCopies: false };
    }
    return { isApiUp: true, needsCopies: !(await doesSelfHostedServe(run)) };
}

async function askForPivot(run: Run): Promise<Awaited<ReturnType<typeof readPivotRecord>> | "no answer"> {
    let record: Awaited<ReturnType<typeof readPivotRecord>>;
    const observe = async () => {
        try {
            record = await readPivotRecord(run.api);
            return undefined;
        } catch (error) {
            return describePassing(error);
        }
    };
    const deadline = Math.min(run.deadline, performance.now() + graceSeconds(run) * 1000);
    try {
        await waitFor({ ...run, deadline }, "the API to answer", observe);
        return record;
    } catch (error) {
        if (error instanceof Timeout) {
            return "no answer";
        }
        throw error;
    }
}

/** Until a run has begun to stop the copies there is nothing to wait for: they must run. */
function graceSeconds({ plan, journal }: Run): number {
    return journal.wasStarted("stop-copies") ? (plan.resumeGraceSeconds ?? defaultGraceSeconds) : 0;
}

async function doesSelfHostedServe({ plan, journal }: Run): Promise<boolean> {
    if (!journal.wasFinished("wait-for-self-hosted")) {
        return false;
    }
    const observed = await Promise.all(
        plan.selfHosted.map(({ address, port, probe: path }) => probe(`https://${address}:${port}${path}`)),
    );
    return observed.every((problem) => problem === undefined);
}

function describe({ plan, state, journal }: Run): string {
    if (state.pivotedAt !== undefined && !plan.recovery) {
        return `the cluster pivoted at ${state.pivotedAt}`;
    }
    const begun = journal.wasStarted("write-checkpoints") ? "resuming" : "first run";
    const api = state.isApiUp ? "the API answers" : "the API does not answer";
    return `${begun}, ${api}, copies are ${state.needsCopies ? "" : "no longer "}needed`;
}

/** Checks that everything exists and is readable before anything is changed. */
export const verifyAssets: Step = {
    name: "verify-assets",
    run: async ({ plan }) => {
        const { assets } = plan.directories;
        const missing = requiredFiles(plan).filter((path) => !existsSync(join(assets, path)));
        if (missing.length > 0) {
            throw new Error(`${assets} must contain ${missing.join(", ")}`);
        }
        const groups = readManifests(join(assets, "manifests"));
        // Manifests contain Secrets too.
        const fixed = ["secrets", "manifests"].flatMap((directory) => fixModes(join(assets, directory)));
        const count = groups.reduce((sum, { objects }) => sum + objects.length, 0);
        const modes = fixed.length > 0 ? `; made private: ${fixed.join(", ")}` : "";
        return `${count} objects in ${groups.length} groups${modes}`;
    },
};

function requiredFiles({ credentials: { ca, cert, key } }: BootstrapPlan): string[] {
    return ["secrets", "manifests", ca, cert, key];
}

/** Removes the permissions of everyone but root. Returns the paths that were open. */
function fixModes(path: string): string[] {
    const status = statSync(path);
    const mode = status.isDirectory() ? 0o700 : 0o600;
    const isOpen = (status.mode & 0o777 & ~mode) !== 0;
    if (isOpen) {
        chmodSync(path, mode);
    }
    const inside = status.isDirectory() ? readdirSync(path).flatMap((name) => fixModes(join(path, name))) : [];
    return [...(isOpen ? [path] : []), ...inside];
}
