import { describeReadiness } from "./readiness-cases";

describeReadiness("v1 PersistentVolumeClaim", [
    {
        title: "that is bound",
        object: { status: { phase: "Bound" } },
        message: /bound/,
        outcome: "ready",
    },
    {
        title: "whose volume is created for its first pod",
        object: { spec: { storageClassName: "local" }, status: { phase: "Pending" } },
        surroundings: { get: async () => ({ volumeBindingMode: "WaitForFirstConsumer" }) },
        message: /first pod/,
        outcome: "ready",
    },
    {
        title: "that is pending",
        object: { status: { phase: "Pending" } },
        message: /Pending/,
        outcome: "waiting",
    },
]);
