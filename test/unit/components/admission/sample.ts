import type { Observation } from "../../../../components/admission/judge";

type Seen = Observation["webhooks"][number];

/** One for everything, that fails closed, and whose Service has endpoints. */
export function webhook(change: Partial<Seen> = {}): Seen {
    return {
        kind: "ValidatingWebhookConfiguration",
        configuration: "all",
        index: 0,
        name: "all.example.com",
        failsClosed: true,
        rules: [{ apiGroups: ["*"], operations: ["*"], resources: ["*/*"] }],
        namespaces: {},
        isSelective: false,
        service: { namespace: "policies", name: "hook" },
        hasEndpoints: true,
        ...change,
    };
}
