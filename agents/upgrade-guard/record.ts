import type { DaemonSet } from "../../clients/kubernetes/objects";

/** ConfigMap in kube-system with the last guarded upgrade: one key of the stack, one of the guard. */
export const guardRecord = {
    name: "tradewind-upgrade",
    /** An `UpgradeRecord`, written by `up` before it changes the first program. */
    upgradeKey: "upgrade.json",
    /** A `GuardReport`, written by the guard. */
    reportKey: "guard.json",
} as const;

/** The programs that are guarded, and taken back, in the order of their upgrade. */
export const guardedPrograms = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"] as const;

export type GuardedProgram = (typeof guardedPrograms)[number];

export type Template = NonNullable<DaemonSet["spec"]>["template"];

/** Pod templates of some of the programs. */
export type Templates = Readonly<Partial<Record<GuardedProgram, Template>>>;

/** An upgrade of the control plane, as `up` began it. */
export interface UpgradeRecord {
    /** Differs for each upgrade. */
    readonly id: string;
    /** Versions of Kubernetes: `1.36.3`. */
    readonly from: string;
    readonly to: string;
    /** When it began, in ISO 8601. */
    readonly began: string;
    /** Pod templates before it. */
    readonly before: Readonly<Record<GuardedProgram, Template>>;
    /**
     * Pod templates that `up` rolls out on the way over several minor versions, in order, each written before it is. The
     * last ones, which the stack has, are not among them. @default - none
     */
    readonly way?: readonly Templates[];
    /** Seconds for which the guard keeps watching after the last program is rolled out. */
    readonly soakSeconds: number;
    /** When `up` found all programs rolled out, in ISO 8601: the soak begins. @default - not yet */
    readonly rolledOut?: string;
    /** An operator ended the soak early: the guard no longer takes the upgrade back. @default false */
    readonly isAccepted?: boolean;
}

/** What the guard has done about the upgrade with the same `id`. */
export interface GuardReport {
    readonly id: string;
    /**
     * - `guarding`: the upgrade goes on, or soaks
     * - `rolling-back`: something got worse, and the earlier templates are being rolled out
     * - `rolled-back`: they are
     * - `passed`: the soak ended without a breach
     * - `undecided`: the soak ended, but the guard could not measure for most of it
     */
    readonly state: "guarding" | "rolling-back" | "rolled-back" | "passed" | "undecided";
    /** When it reached this state, in ISO 8601. */
    readonly since: string;
    /** What got worse. @default - nothing */
    readonly breach?: Breach;
    /** Why the guard cannot decide at the moment: `no metrics of kube-apiserver for 40 s`. @default - it can */
    readonly undecided?: string;
}

/** A measurement that got worse. */
export interface Breach {
    /** What was measured: `p99 of writes`, with the node if it is only one. */
    readonly what: string;
    /** Values with units: `12 ms`. */
    readonly before: string;
    readonly after: string;
    /** The limit that was exceeded: `60 ms`. */
    readonly limit: string;
    /** When it was found, in ISO 8601. */
    readonly at: string;
}

/** Whether guards do nothing more about an upgrade. */
export function isOver({
    record,
    report,
}: {
    readonly record?: UpgradeRecord;
    readonly report?: GuardReport;
}): boolean {
    return record?.isAccepted === true || ["passed", "undecided", "rolled-back"].includes(report?.state ?? "");
}

/** What got worse, with its numbers. */
export function describeBreach({ what, before, after, limit }: Omit<Breach, "at">): string {
    return `${what} became ${after} (before: ${before}, limit: ${limit})`;
}

/** A record or a report in the ConfigMap; undefined if the text is neither. */
export function parsed<T extends { readonly id: string }>(text = ""): T | undefined {
    try {
        const value = JSON.parse(text);
        return typeof value?.id === "string" ? value : undefined;
    } catch {
        return undefined;
    }
}
