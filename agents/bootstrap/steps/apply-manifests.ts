import { join } from "node:path";
import { describePassing } from "../../common/api-error";
import { waitFor } from "../../common/wait";
import { applyGroups } from "../apply-groups";
import { isMissing } from "../is-missing";
import { readManifests } from "../manifests";
import { readPivotRecord } from "../pivot-record";
import { addonsOrder } from "../plan";
import type { Run, Step } from "../run";

/**
 * Applies the control plane of the self-hosted set, unless the cluster pivoted: its objects belong to the stack then.
 * In a recovery, those that the cluster lacks.
 */
export const applyManifests: Step = {
    name: "apply-manifests",
    run: async (run) => {
        await lookForPivot(run);
        const { recovery } = run.plan;
        if (run.state.pivotedAt !== undefined && !recovery) {
            return `not applied again: the cluster pivoted at ${run.state.pivotedAt}`;
        }
        const groups = readManifests(join(run.plan.directories.assets, "manifests"));
        return await applyGroups(
            run,
            groups.filter(({ order }) => order < addonsOrder),
            recovery && isMissing,
        );
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
