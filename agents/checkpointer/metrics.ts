import { type Metric, timestamp } from "../harness/metrics";
import type { CertificateEnd } from "./certificate-ends";
import type { Action } from "./decide";
import type { Status } from "./status";

/** What the checkpointer knows. */
export interface CheckpointerView {
    readonly status: Status;
    /** By parent: whether the checkpoint is that of the running pod. Without parents for which that is unknown. */
    readonly current: ReadonlyMap<string, boolean>;
    /** How often each action was taken, by `<parent> <action>`. */
    readonly actions: ReadonlyMap<string, number>;
    readonly certificates: readonly CertificateEnd[];
    /** Seconds since the last reconcile. */
    readonly idleSeconds: number;
}

export function checkpointerMetrics({
    status,
    current,
    actions,
    certificates,
    idleSeconds,
}: CheckpointerView): Metric[] {
    const perParent = Object.entries(status);
    return [
        {
            name: "tradewind_checkpoint_current",
            help: "Whether the checkpoint is a copy of the running pod.",
            samples: [...current].map(([parent, value]) => ({ labels: { parent }, value })),
        },
        {
            name: "tradewind_checkpoint_saved_timestamp_seconds",
            help: "When the checkpoint was saved. It may be old: a pod that does not change is not saved again.",
            samples: perParent.map(([parent, { checkpoint }]) => ({
                labels: { parent },
                value: timestamp(checkpoint?.savedAt),
            })),
        },
        {
            name: "tradewind_checkpoint_refused",
            help: "Whether the running pod can't be saved.",
            samples: perParent.map(([parent, { refused }]) => ({ labels: { parent }, value: refused !== undefined })),
        },
        {
            name: "tradewind_checkpoint_damaged_files",
            help: "Number of files of checkpoints that are empty, cut, missing or have other bytes.",
            samples: perParent.map(([parent, { damaged = [] }]) => ({ labels: { parent }, value: damaged.length })),
        },
        {
            name: "tradewind_checkpoint_copy_active",
            help: "Whether a copy runs from the checkpoint.",
            samples: perParent.map(([parent, { runs }]) => ({
                labels: { parent },
                value: runs === "checkpoint" || runs === "both",
            })),
        },
        {
            name: "tradewind_checkpointer_actions_total",
            help: "Actions taken since the checkpointer started.",
            type: "counter",
            samples: [...actions].map(([key, value]) => {
                const [parent = "", action = ""] = key.split(" ");
                return { labels: { parent, action }, value };
            }),
        },
        {
            name: "tradewind_checkpointer_idle_seconds",
            help: "Time since the last reconcile.",
            samples: [{ value: idleSeconds }],
        },
        {
            name: "tradewind_certificate_end_timestamp_seconds",
            help: "When a certificate on this controller expires; of a bundle, the first one.",
            samples: certificates.map(({ end, ...labels }) => ({ labels, value: end })),
        },
    ];
}

export function actionKey(parent: string, action: Action): string {
    return `${parent} ${action}`;
}
