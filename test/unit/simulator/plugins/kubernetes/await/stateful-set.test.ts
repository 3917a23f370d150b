import { describeReadiness, observed, workload } from "./readiness-cases";

describeReadiness("apps/v1 StatefulSet", [
    {
        title: "updated above its partition",
        object: workload(
            { replicas: 3, updateStrategy: { rollingUpdate: { partition: 2 } } },
            { ...observed, updatedReplicas: 1, readyReplicas: 3 },
        ),
        message: /3\/3 ready/,
        outcome: "ready",
    },
    {
        title: "with a pod that is not ready",
        object: workload({ replicas: 3 }, { ...observed, updatedReplicas: 3, readyReplicas: 2 }),
        message: /2\/3 ready/,
        outcome: "waiting",
    },
]);
