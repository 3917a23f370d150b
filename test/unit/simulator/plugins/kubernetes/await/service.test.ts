import { describeReadiness } from "./readiness-cases";

describeReadiness("v1 Service", [
    {
        title: "with a selector and no pods",
        object: { spec: { selector: { a: "b" } } },
        message: /\[1\/3\] Finding Pods/,
        outcome: "waiting",
    },
    {
        title: "with a selector and a pod",
        object: { spec: { selector: { a: "b" } } },
        surroundings: { list: async () => [{ endpoints: [{}] }] },
        message: /complete/,
        outcome: "ready",
    },
    {
        title: "that is headless",
        object: { spec: { selector: { a: "b" }, clusterIP: "None" } },
        message: /complete/,
        outcome: "ready",
    },
    { title: "without a selector", object: { spec: {} }, message: /complete/, outcome: "ready" },
    {
        title: "that has no external address yet",
        object: { spec: { type: "LoadBalancer" } },
        message: /\[2\/3\] Attempting to allocate IP/,
        outcome: "waiting",
    },
]);
