/** The steps of joining, in their order, as the log names them. */
export const stepNames = [
    "find-cluster",
    "remove-stale-member",
    "move-member",
    "add-learner",
    "install-member",
    "wait-until-serving",
    "promote",
    "wait-until-healthy",
] as const;

export type StepName = (typeof stepNames)[number];
