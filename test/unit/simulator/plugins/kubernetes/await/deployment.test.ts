import { condition, describeReadiness, observed, workload } from "./readiness-cases";

describeReadiness("apps/v1 Deployment", [
    {
        title: "with old pods left",
        object: workload({ replicas: 2 }, { ...observed, updatedReplicas: 2, replicas: 3, availableReplicas: 2 }),
        message: /^Waiting for app ReplicaSet to be available \(0\/2 Pods available\)$/,
        outcome: "waiting",
    },
    {
        title: "that makes no progress",
        object: workload(
            { replicas: 2 },
            {
                ...observed,
                updatedReplicas: 1,
                conditions: [condition("Progressing", "False", "ProgressDeadlineExceeded")],
            },
        ),
        message: /\(0\/2 Pods available\)/,
        outcome: "waiting",
    },
    {
        title: "with one replica by default",
        object: workload({}, { ...observed, updatedReplicas: 1, replicas: 1, availableReplicas: 1 }),
        message: /^Deployment initialization complete$/,
        outcome: "ready",
    },
]);
