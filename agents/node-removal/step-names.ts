/** The steps of removing nodes, in their order, as the log names them. */
export const stepNames = [
    "find-nodes",
    "cordon",
    "drain",
    "forget-checkpoints",
    "release-control-plane",
    "move-leader",
    "remove-members",
    "delete-nodes",
] as const;

export type StepName = (typeof stepNames)[number];
