import { describeBreach, type GuardReport, type UpgradeRecord } from "../../agents/upgrade-guard/record";
import { requireDuration } from "../durations";
import type { UpgradeGuardOptions } from "../options";
import { requireOneOf } from "../validate";
import type { UpgradeProblem } from "./problem";

/** How the control plane's upgrades are guarded. */
export interface UpgradeGuard {
    /** Seconds for which the guard keeps watching after kube-apiserver and its controllers are rolled out. */
    readonly soakSeconds: number;
}

/** The option `upgradeGuard`; undefined if it is off. */
export function resolveUpgradeGuard({ enabled = true, soak = "1m" }: UpgradeGuardOptions): UpgradeGuard | undefined {
    const isOn = requireOneOf("upgradeGuard.enabled", [true, false], enabled);
    const soakSeconds = requireDuration("upgradeGuard.soak", soak, "1s", "1d");
    return isOn ? { soakSeconds } : undefined;
}

/** The last upgrade and what the guard has done about it. */
export interface GuardedUpgrade {
    readonly record: UpgradeRecord;
    /** @default - the guard has not reported on it */
    readonly report?: GuardReport;
}

/** Whether the guard takes an upgrade back, or has done so. */
export function isTakenBack({ report }: GuardedUpgrade): boolean {
    return report?.state === "rolling-back" || report?.state === "rolled-back";
}

/** What the guard has taken back, in a sentence without a full stop. */
export function describeTakenBack({ record: { from, to }, report }: GuardedUpgrade): string {
    const { state, breach, since } = report!;
    const verb = state === "rolled-back" ? "took" : "is taking";
    const why = breach ? `${describeBreach(breach)} at ${breach.at}` : `something got worse at ${since}`;
    return `the upgrade guard ${verb} Kubernetes ${to} back to ${from}: ${why}`;
}

/** Whether a version must not be rolled out again, because the guard took it back; an operator may accept that. */
export function guardProblems(last: GuardedUpgrade | undefined, desired: string): UpgradeProblem[] {
    if (last === undefined || !isTakenBack(last) || last.record.isAccepted || last.record.to !== desired) return [];
    return [{ check: "guard", message: describeTakenBack(last) }];
}
