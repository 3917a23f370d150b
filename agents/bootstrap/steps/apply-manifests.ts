import { join } from "node:path";
import { describeError, describePassing } from "../../common/api-error";
import { waitFor } from "../../common/wait";
import { applyObject, withExpiration } from "../apply";
import { Discovery } from "../discovery";
import { type ManifestGroup, readManifests } from "../manifests";
import { readPivotRecord } from "../pivot-record";
import type { Run, Step } from "../run";

/** A small machine's apiserver is at its fastest with a few writers. */
const parallelism = 8;

/** Applies the self-hosted set, unless the cluster pivoted: its objects belong to the stack then. */
export const applyManifests: Step = {
    name: "apply-manifests",
    run: async (run) => {
        await lookForPivot(run);
        if (run.state.pivotedAt !== undefined) {
            return `not applied again: the cluster pivoted at ${run.state.pivotedAt}`;
        }
        const discovery = new Discovery(run.api);
        const groups = readManifests(join(run.plan.directories.assets, "manifests"));
        for (const group of groups) {
            await applyGroup(run, discovery, group);
        }
        return `${groups.reduce((sum, { objects }) => sum + objects.length, 0)} objects`;
    },
};

/** The API may not have been up when the run looked for the first time. */
async function lookForPivot(run: Run): Promise<void> {
    await waitFor(run, "the record of the pivot, or its absence", async () => {
        try {
            const record = await readPivotRecord(run.api);
            run.state = { ...run.state, pivotedAt: record && (record.pivotedAt ?? "an unknown time") };
            return undefined;
        } catch (error) {
            return describePassing(error);
        }
    });
}

async function applyGroup(run: Run, discovery: Discovery, { objects }: ManifestGroup): Promise<void> {
    const queue = [...objects];
    const errors: string[] = [];
    const work = async () => {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
            try {
                await applyObject(run, discovery, withExpiration(next.object, run.plan.tokens.expiresAfterHours));
            } catch (error) {
                errors.push(`${next.file}: ${describeError(error)}`);
            }
        }
    };
    await Promise.all(Array.from({ length: parallelism }, work));
    if (errors.length > 0) {
        throw new Error(errors.join("; "));
    }
}
