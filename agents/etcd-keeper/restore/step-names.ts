/** The steps of restoring, in their order, as the log names them. */
export const stepNames = [
    "fetch-snapshot",
    "stop-member",
    "restore-data",
    "swap-data",
    "start-member",
    "wait-until-serving",
] as const;

export type StepName = (typeof stepNames)[number];
