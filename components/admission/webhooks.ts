import type { LabelSelector, WebhookRule } from "../../clients/kubernetes/objects";

/** An admission webhook and its configuration. */
export interface Webhook {
    readonly kind: "ValidatingWebhookConfiguration" | "MutatingWebhookConfiguration";
    readonly configuration: string;
    /** Its index in the configuration. */
    readonly index: number;
    readonly name: string;
    /** Whether the API refuses a write when the webhook does not respond. */
    readonly failsClosed: boolean;
    readonly rules: readonly WebhookRule[];
    readonly namespaces: LabelSelector;
    /** Whether it is only called for some objects, by label or expression. */
    readonly isSelective: boolean;
    /** Its backend in the cluster. @default - it has a URL */
    readonly service?: { readonly namespace: string; readonly name: string };
}

/** A kind of write that a cluster depends on. */
export interface Write {
    readonly group: string;
    /** With its subresource: `nodes/status`. */
    readonly resource: string;
    readonly operation: "CREATE" | "UPDATE" | "DELETE";
    /** @default - it is cluster-wide */
    readonly namespace?: string;
    /** In words. */
    readonly words: string;
}

const pods = { group: "", namespace: "kube-system", words: "pods of kube-system" };
const leases = { group: "coordination.k8s.io", resource: "leases", operation: "UPDATE" } as const;

/** Writes of a control plane and its nodes that the cluster needs to work, and to recover from a power failure. */
export const vitalWrites: readonly Write[] = [
    { ...pods, resource: "pods", operation: "CREATE" },
    { ...pods, resource: "pods/binding", operation: "CREATE" },
    { ...pods, resource: "pods/status", operation: "UPDATE" },
    { ...leases, namespace: "kube-system", words: "leases of kube-system" },
    { ...leases, namespace: "kube-node-lease", words: "leases of nodes" },
    { group: "", resource: "nodes", operation: "CREATE", words: "nodes" },
    { group: "", resource: "nodes/status", operation: "UPDATE", words: "nodes" },
    ...(["CREATE", "UPDATE"] as const).map((operation) => ({
        ...{ group: "certificates.k8s.io", resource: "certificatesigningrequests", operation },
        words: "certificate signing requests",
    })),
    ...["daemonsets/status", "controllerrevisions"].map((resource) => ({
        ...{ group: "apps", resource, operation: "UPDATE" as const, namespace: "kube-system" },
        words: "DaemonSets of kube-system",
    })),
];

/** The writes that a webhook is called for. @param labels - of namespaces, by name */
export function writesOf(
    webhook: Webhook,
    labels: Readonly<Record<string, Readonly<Record<string, string>>>>,
    writes: readonly Write[] = vitalWrites,
): Write[] {
    return writes.filter((write) => {
        const { namespace } = write;
        const isIn = namespace === undefined || selects(webhook.namespaces, labels[namespace] ?? {});
        return isIn && webhook.rules.some((rule) => isMatch(rule, write));
    });
}

function isMatch({ apiGroups = [], operations = [], resources = [], scope = "*" }: WebhookRule, write: Write): boolean {
    const has = (values: readonly string[], value: string) => values.includes("*") || values.includes(value);
    const scopeOf = write.namespace === undefined ? "Cluster" : "Namespaced";
    return (
        has(apiGroups, write.group) &&
        has(operations, write.operation) &&
        (scope === "*" || scope === scopeOf) &&
        resources.some((resource) => isResource(resource, write.resource))
    );
}

/** An asterisk alone matches every resource without subresources; asterisks around a slash match everything. */
function isResource(pattern: string, resource: string): boolean {
    const [typePattern = "", subPattern = ""] = pattern.split("/");
    const [name = "", sub = ""] = resource.split("/");
    return (typePattern === "*" || typePattern === name) && (subPattern === "*" || subPattern === sub);
}

export function selects(
    { matchLabels = {}, matchExpressions = [] }: LabelSelector,
    labels: Readonly<Record<string, string>>,
) {
    return (
        Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
        matchExpressions.every(({ key, operator, values = [] }) => {
            const value = labels[key];
            switch (operator) {
                case "In":
                    return value !== undefined && values.includes(value);
                case "NotIn":
                    return value === undefined || !values.includes(value);
                case "Exists":
                    return value !== undefined;
                default:
                    return value === undefined;
            }
        })
    );
}
