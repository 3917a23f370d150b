import { condition, describeReadiness } from "./readiness-cases";

describeReadiness("batch/v1 Job", [
    {
        title: "that has yet to end",
        object: { spec: { completions: 2 }, status: { succeeded: 1 } },
        message: /1\/2 succeeded/,
        outcome: "waiting",
    },
    {
        title: "that ended",
        object: { status: { conditions: [condition("Complete", "True")] } },
        message: /completed/,
        outcome: "ready",
    },
    {
        title: "that failed",
        object: { status: { conditions: [condition("Failed", "True", "BackoffLimitExceeded")] } },
        message: /failed/,
        outcome: "failed",
    },
]);
