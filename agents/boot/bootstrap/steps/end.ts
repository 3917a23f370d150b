import { closeSync, existsSync, fsyncSync, openSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { Discovery } from "../../../../clients/kubernetes/discovery";
import { syncDirectory } from "../../../harness/durable";
import { applyObject } from "../apply";
import { hasStamp, writeStamp } from "../journal";
import { type PivotRecord, pivotManifest } from "../pivot-record";
import type { BootstrapPlan } from "../plan";
import type { Run, Step } from "../run";

/** Removes what only the bootstrap needed, above all the CA keys. */
export const cleanUp: Step = {
    name: "clean-up",
    run: async ({ plan }) => {
        if (!hasStamp(plan)) {
            throw new Error("the assets must stay until the pivot is recorded on this disk");
        }
        const removed = leftovers(plan);
        removed.forEach(destroy);
        return removed.length > 0 ? `removed ${removed.join(", ")}` : "nothing left to remove";
    },
};

/** What is left to remove. */
export function leftovers({ directories: { assets } }: BootstrapPlan): string[] {
    return ["secrets", "manifests"].map((name) => join(assets, name)).filter((path) => existsSync(path));
}

function destroy(directory: string): void {
    overwrite(directory);
    rmSync(directory, { recursive: true });
    syncDirectory(dirname(directory));
}

/** A removed file's blocks stay on the disk until they are reused. */
function overwrite(path: string): void {
    const status = statSync(path);
    if (status.isDirectory()) {
        for (const name of readdirSync(path)) {
            overwrite(join(path, name));
        }
        return;
    }
    const descriptor = openSync(path, "r+");
    try {
        writeSync(descriptor, Buffer.alloc(status.size));
        fsyncSync(descriptor);
    } finally {
        closeSync(descriptor);
    }
}

/** Makes the pivot final: first in the cluster, then on this disk. */
export const recordPivot: Step = {
    name: "record-pivot",
    run: async (run) => {
        const { plan, state } = run;
        if (state.pivotedAt === undefined) {
            const record = createRecord(run);
            await applyObject(run, new Discovery(run.api), pivotManifest(record));
            run.state = { ...state, pivotedAt: record.pivotedAt };
        }
        writeStamp(plan, { pivotedAt: run.state.pivotedAt ?? "" });
        return `pivoted at ${run.state.pivotedAt}`;
    },
};

function createRecord({ plan, journal }: Run): PivotRecord {
    return {
        pivotedAt: new Date().toISOString(),
        cluster: plan.clusterName,
        node: plan.nodeName,
        versions: JSON.stringify(plan.versions),
        durations: JSON.stringify(journal.durations()),
    };
}
