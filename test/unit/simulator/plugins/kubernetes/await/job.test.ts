import { condition, describeReadiness } from "./readiness-cases";

describeReadiness("batch/v1 Job", [
    {
        title: "that is still running",
        object: { metadata: { name: "j", namespace: "n" }, status: { startTime: "now", active: 1, succeeded: 1 } },
        message: /^Waiting for Job "n\/j" to succeed \(Active: 1 \| Succeeded: 1 \| Failed: 0\)$/,
        outcome: "waiting",
    },
    {
        title: "that succeeded",
        object: { status: { conditions: [condition("Complete", "True")] } },
        message: /^Job ready$/,
        outcome: "ready",
    },
    {
        title: "that failed",
        object: { status: { conditions: [condition("Failed", "True", "BackoffLimitExceeded")] } },
        message: /failed to initialize$/,
        outcome: "failed",
    },
]);
