import { applyObject } from "../apply";
import { Discovery } from "../discovery";
import { type PivotRecord, pivotManifest } from "../pivot-record";
import type { Run, Step } from "../run";
import { writeStamp } from "../stamp";

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
