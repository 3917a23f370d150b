import { describeReadiness, observed, workload } from "./readiness-cases";

describeReadiness("apps/v1 DaemonSet", [
    {
        title: "whose controller has only processed an older version",
        object: workload(
            {},
            { observedGeneration: 1, desiredNumberScheduled: 1, updatedNumberScheduled: 1, numberAvailable: 1 },
        ),
        message: /^DaemonSet generation is 2, but latest observed generation is 1$/,
        outcome: "waiting",
    },
    {
        title: "with a node that has an old pod",
        object: workload({}, { ...observed, desiredNumberScheduled: 1, currentNumberScheduled: 1, numberAvailable: 1 }),
        message: /^Updated: 0\/1$/,
        outcome: "waiting",
    },
    {
        title: "with a new pod that is not available",
        object: workload(
            {},
            {
                ...observed,
                desiredNumberScheduled: 2,
                currentNumberScheduled: 2,
                updatedNumberScheduled: 2,
                numberAvailable: 1,
            },
        ),
        message: /^Available: 1\/2$/,
        outcome: "waiting",
    },
    {
        title: "with all pods new and available",
        object: workload(
            {},
            {
                ...observed,
                desiredNumberScheduled: 2,
                currentNumberScheduled: 2,
                updatedNumberScheduled: 2,
                numberAvailable: 2,
                numberReady: 2,
            },
        ),
        message: /^All replicas scheduled as expected. Replicas: 2$/,
        outcome: "ready",
    },
    {
        title: "that is not meant for any node",
        object: workload({}, observed),
        message: /Replicas: 0$/,
        outcome: "ready",
    },
]);
