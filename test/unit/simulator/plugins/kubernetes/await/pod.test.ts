import { condition, describeReadiness } from "./readiness-cases";

describeReadiness("v1 Pod", [
    {
        title: "that is ready",
        object: { status: { phase: "Running", conditions: [condition("Ready", "True")] } },
        message: /ready/,
        outcome: "ready",
    },
    {
        title: "that completed",
        object: { status: { phase: "Succeeded" } },
        message: /succeeded/,
        outcome: "ready",
    },
    {
        title: "that failed",
        object: { status: { phase: "Failed" } },
        message: /failed/,
        outcome: "failed",
    },
    { title: "that is new", object: {}, message: /Pending/, outcome: "waiting" },
]);
