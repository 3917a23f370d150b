import { describeReadiness, observed, workload } from "./readiness-cases";

describeReadiness("apps/v1 DaemonSet", [
    {
        title: "whose controller saw only what was before",
        object: workload(
            {},
            { observedGeneration: 1, desiredNumberScheduled: 1, updatedNumberScheduled: 1, numberAvailable: 1 },
        ),
        message: /\[1\/2\] Waiting for the DaemonSet controller/,
        outcome: "waiting",
    },
    {
        title: "with a node that has an old pod",
        object: workload({}, { ...observed, desiredNumberScheduled: 1, numberAvailable: 1 }),
        message: /^\[1\/2\] Waiting for DaemonSet rollout: 0\/1 updated$/,
        outcome: "waiting",
    },
    {
        title: "with a new pod that is not available",
        object: workload({}, { ...observed, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 1 }),
        message: /^\[2\/2\] Waiting for DaemonSet pods: 1\/2 available$/,
        outcome: "waiting",
    },
    {
        title: "with all pods new and available",
        object: workload({}, { ...observed, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2 }),
        message: /complete: 2\/2 available/,
        outcome: "ready",
    },
    {
        title: "that no node is to run",
        object: workload({}, observed),
        message: /0\/0/,
        outcome: "ready",
    },
]);
