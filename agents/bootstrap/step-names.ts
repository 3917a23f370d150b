/** The steps of the bootstrap, in their order, as the stage log and the journal name them. */
export const stepNames = [
    "verify-assets",
    "find-state",
    "install-secrets",
    "start-temporary-apiserver",
    "wait-for-api",
    "start-temporary-controllers",
    "apply-manifests",
    "label-node",
    "wait-for-self-hosted",
    "apply-addons",
    "stop-temporary-apiserver",
    "stop-temporary-controllers",
    "record-pivot",
    "clean-up",
] as const;

/** Those that a recovery has beside them: two after `label-node`, one before `record-pivot`. */
export const recoveryStepNames = ["remove-stale-nodes", "hold", "readmit-members"] as const;

export type StepName = (typeof stepNames)[number] | (typeof recoveryStepNames)[number];
