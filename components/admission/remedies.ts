import type { Webhook } from "./webhooks";

export function describeWebhook({ kind, configuration, name }: Webhook): string {
    return `${name} (${kind} ${configuration})`;
}

export function removal(webhooks: readonly Webhook[]): string {
    const all = webhooks.map(({ kind, configuration }) => `kubectl delete ${kind.toLowerCase()} ${configuration}`);
    const unknown = "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations shows them";
    return all.length > 0 ? `remove it: ${[...new Set(all)].join("; ")}` : unknown;
}

export function removalOrOpening(webhooks: readonly Webhook[]): string {
    const closed = webhooks.filter(({ failsClosed }) => failsClosed);
    return [removal(webhooks), ...closed.map((each) => `or let it fail open: ${opening(each)}`)].join("; ");
}

/** Configurations of webhooks and policies pass no webhook: the API admits this whatever else it refuses. */
export function opening({ kind, configuration, index }: Webhook): string {
    const patch = [{ op: "replace", path: `/webhooks/${index}/failurePolicy`, value: "Ignore" }];
    return `kubectl patch ${kind.toLowerCase()} ${configuration} --type=json -p '${JSON.stringify(patch)}'`;
}

export function listed(words: readonly string[]): string {
    const all = [...new Set(words)];
    return all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all.at(-1)}` : (all[0] ?? "");
}
