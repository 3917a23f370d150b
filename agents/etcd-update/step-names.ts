/** The steps of an update, in their order, as the log names them. `revert` is for a member that does not serve. */
export const stepNames = [
    "check-flags",
    "wait-for-others",
    "hand-back",
    "switch-manifest",
    "wait-until-serving",
    "revert",
] as const;

export type StepName = (typeof stepNames)[number];
