import type { UpgradeCheck } from "../upgrade-overrides";

/** A reason to refuse an upgrade. */
export interface UpgradeProblem {
    readonly check: UpgradeCheck;
    readonly message: string;
}
