import { describeReadiness } from "./readiness-cases";

describeReadiness("v1 Secret", [
    {
        title: "for a token without one",
        object: { type: "kubernetes.io/service-account-token" },
        message: /token/,
        outcome: "waiting",
    },
    {
        title: "of any other type",
        object: { type: "Opaque" },
        message: /complete/,
        outcome: "ready",
    },
]);
