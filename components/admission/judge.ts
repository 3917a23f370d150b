import { type AdmissionRefusal, admissionRefusal } from "../../clients/kubernetes/admission-refusal";
import { type Webhook, writesOf } from "./webhooks";

export type ContainerLimits = Readonly<Record<string, string>>;

/** Container limits by container name. */
export type PodShape = Readonly<Record<string, ContainerLimits>>;

/** A dry run of a write that the control plane depends on. */
export interface Trial {
    /** What was written, in words. */
    readonly words: string;
    /** The API's message. @default - it was admitted, or there was no response */
    readonly refusal?: string;
    /** Whether there was no response in time. @default false */
    readonly isSilent?: boolean;
    /** Limits of a pod that was admitted. */
    readonly shapes?: { readonly sent: PodShape; readonly admitted: PodShape };
}

/** The admission configuration of a cluster, and what it does. */
export interface Observation {
    readonly trials: readonly Trial[];
    readonly webhooks: readonly (Webhook & {
        /** Whether its Service has ready endpoints. @default - it has a URL */
        readonly hasEndpoints?: boolean;
    })[];
    /** Labels of namespaces by name. */
    readonly labels: Readonly<Record<string, Readonly<Record<string, string>>>>;
    /** Names of the LimitRanges of kube-system. */
    readonly limitRanges: readonly string[];
    /** How long the dry runs waited for a response. */
    readonly seconds: number;
}

/** An admission rule that affects writes of the control plane, and what to do about it. */
export interface AdmissionProblem {
    /**
     * `blocks`: writes are refused. `limits`: the next control plane pods get limits that may kill them. `alters`: they
     * get additional containers. `risk`: writes are refused once pods of the cluster are down.
     */
    readonly effect: "blocks" | "limits" | "alters" | "risk";
    /** A sentence without its full stop. */
    readonly message: string;
    /** Includes commands. */
    readonly advice: string;
}

type ObservedWebhook = Observation["webhooks"][number];

/** What keeps a control plane from working, or would after a power failure: each webhook or policy once. */
export function admissionProblems(observation: Observation): AdmissionProblem[] {
    const { trials, webhooks } = observation;
    const refused = refusedBy(trials);
    const blocked = refused.map(({ refusal, words }) => blockedBy(refusal, words, observation));
    const named = new Set(refused.flatMap(({ refusal }) => webhookNamed(refusal, webhooks)));
    const rest = webhooks.filter((webhook) => !named.has(webhook));
    return [
        ...blocked,
        ...silences(trials, rest, observation),
        ...rest.flatMap((webhook) => withoutBackend(webhook, observation)),
        ...limited(observation),
        ...altered(observation),
        ...rest.flatMap((webhook) => dependent(webhook, observation)),
    ];
}

/** One entry per webhook or policy, with everything that it refused. */
function refusedBy(trials: readonly Trial[]): { refusal: AdmissionRefusal; words: string[] }[] {
    const all = new Map<string, { refusal: AdmissionRefusal; words: string[] }>();
    for (const { words, refusal: text } of trials) {
        const refusal = text === undefined ? undefined : admissionRefusal(text);
        if (refusal === undefined) continue;
        const key = `${refusal.kind} ${refusal.name}`;
        const { words: others } = all.get(key) ?? { words: [] };
        all.set(key, { refusal: all.get(key)?.refusal ?? refusal, words: [...others, words] });
    }
    return [...all.values()];
}

function webhookNamed({ kind, name }: AdmissionRefusal, webhooks: readonly ObservedWebhook[]): ObservedWebhook[] {
    return kind === "webhook" || kind === "webhook-failure" ? webhooks.filter((each) => each.name === name) : [];
}

function blockedBy(refusal: AdmissionRefusal, all: readonly string[], observation: Observation): AdmissionProblem {
    const { kind, name, detail } = refusal;
    const words = listed(all);
    const hooks = webhookNamed(refusal, observation.webhooks);
    const problem = (message: string, advice: string): AdmissionProblem => ({ effect: "blocks", message, advice });
    switch (kind) {
        case "webhook-failure": {
            const which = `the webhook ${hooks.map(describeWebhook).join(" or ") || name}`;
            return problem(`${which} fails, so the API refuses ${words}: ${detail}`, removalOrOpening(hooks));
        }
        case "webhook":
            return problem(
                `the webhook ${hooks.map(describeWebhook).join(" or ") || name} refuses ${words}: ${detail}`,
                removal(hooks),
            );
        case "policy":
            return problem(
                `the ValidatingAdmissionPolicyBinding ${name} refuses ${words}: ${detail}`,
                `remove it: kubectl delete validatingadmissionpolicybinding ${name}`,
            );
        case "mutating-policy":
            return problem(
                `the MutatingAdmissionPolicyBinding ${name} refuses ${words}: ${detail}`,
                `remove it: kubectl delete mutatingadmissionpolicybinding ${name}`,
            );
        case "quota":
            return problem(
                `the ResourceQuota ${name} of kube-system refuses ${words}: ${detail}`,
                `remove it: kubectl -n kube-system delete resourcequota ${name}`,
            );
        case "limit-range": {
            const { which, command } = limitRangesOf(observation);
            return problem(`${which} refuses ${words}: ${detail}`, command);
        }
        case "pod-security": {
            const isLabelled = "pod-security.kubernetes.io/enforce" in (observation.labels["kube-system"] ?? {});
            const value = isLabelled ? "enforce-" : "enforce=privileged --overwrite";
            const what = isLabelled ? "the label pod-security.kubernetes.io/enforce of kube-system" : "Pod Security";
            return problem(
                `${what} refuses ${words}: ${detail}`,
                `allow them: kubectl label namespace kube-system pod-security.kubernetes.io/${value}`,
            );
        }
    }
}

/** A write without a response, although reads have one: the webhooks called for it are suspects. */
function silences(trials: readonly Trial[], webhooks: readonly ObservedWebhook[], { labels, seconds }: Observation) {
    const silent = trials.filter(({ isSilent }) => isSilent).map(({ words }) => words);
    const suspects = webhooks.filter((webhook) => writesOf(webhook, labels).length > 0);
    if (silent.length === 0 || suspects.length === 0) return [];
    const names = suspects.map(describeWebhook).join(" or ");
    const message = `the webhook ${names} is called for ${listed(silent)}, and a dry run got no response within ${seconds} s`;
    return [{ effect: "blocks" as const, message, advice: removalOrOpening(suspects) }];
}

/** A webhook that would fail, although no dry run reached it. */
function withoutBackend(webhook: ObservedWebhook, { labels }: Observation): AdmissionProblem[] {
    const { service, failsClosed, isSelective, hasEndpoints } = webhook;
    const words = wordsOf(webhook, labels);
    if (!failsClosed || isSelective || hasEndpoints !== false || words.length === 0) return [];
    const where = `its Service ${service!.namespace}/${service!.name} has no endpoints`;
    const message = `the webhook ${describeWebhook(webhook)} cannot respond, so the API refuses ${listed(words)}: ${where}`;
    return [{ effect: "blocks", message, advice: removalOrOpening([webhook]) }];
}

/** A webhook that must run in the cluster before the cluster can start. */
function dependent(webhook: ObservedWebhook, { labels }: Observation): AdmissionProblem[] {
    const { service, failsClosed, isSelective, hasEndpoints } = webhook;
    const words = wordsOf(webhook, labels);
    if (!failsClosed || isSelective || hasEndpoints !== true || words.length === 0) return [];
    const where = `pods of the cluster (Service ${service!.namespace}/${service!.name})`;
    const message = `the webhook ${describeWebhook(webhook)} is called for ${listed(words)} and runs as ${where}: while they are down, as after a power failure, nothing else can start`;
    const advice = `exclude kube-system and kube-node-lease with its namespaceSelector, or make it fail open: ${opening(webhook)}`;
    return [{ effect: "risk", message, advice }];
}

/**
 * Limits that a pod gets although its template has none: 64Mi of memory is enough for a shell, but kills
 * kube-apiserver.
 */
function limited(observation: Observation): AdmissionProblem[] {
    const set = observation.trials.flatMap(({ shapes }) =>
        Object.entries(shapes?.sent ?? {}).flatMap(([container, limits]) =>
            Object.entries(shapes!.admitted[container] ?? {})
                .filter(([resource]) => !(resource in limits))
                .map(([resource, value]) => `${container} ${resource} ${value}`),
        ),
    );
    if (set.length === 0) return [];
    const { which, command } = limitRangesOf(observation);
    const message = `${which} limits containers of the control plane that have no such limit: ${[...new Set(set)].join(", ")}`;
    return [{ effect: "limits", message, advice: command }];
}

function limitRangesOf({ limitRanges, webhooks, labels }: Observation): { which: string; command: string } {
    const names = limitRanges.join(" ");
    if (limitRanges.length > 0) {
        const command = `remove it: kubectl -n kube-system delete limitrange ${names}`;
        return { which: `the LimitRange ${limitRanges.join(" or ")} of kube-system`, command };
    }
    const mutating = mutators(webhooks, labels);
    return {
        which: `the webhook ${mutating.map(describeWebhook).join(" or ") || "that changes pods"}`,
        command: removal(mutating),
    };
}

function altered({ trials, webhooks, labels }: Observation): AdmissionProblem[] {
    const added = trials.flatMap(({ shapes }) =>
        Object.keys(shapes?.admitted ?? {}).filter((container) => !(container in shapes!.sent)),
    );
    if (added.length === 0) return [];
    const mutating = mutators(webhooks, labels);
    const which = mutating.map(describeWebhook).join(" or ") || "that changes pods";
    const message = `the webhook ${which} adds containers to pods of the control plane: ${[...new Set(added)].join(", ")}`;
    return [
        {
            effect: "alters",
            message,
            advice: `exclude kube-system with its namespaceSelector, or ${removal(mutating)}`,
        },
    ];
}

function mutators(webhooks: readonly ObservedWebhook[], labels: Observation["labels"]): ObservedWebhook[] {
    return webhooks.filter(
        (webhook) =>
            webhook.kind === "MutatingWebhookConfiguration" &&
            writesOf(webhook, labels).some(({ resource }) => resource === "pods"),
    );
}

function wordsOf(webhook: Webhook, labels: Observation["labels"]): string[] {
    return [...new Set(writesOf(webhook, labels).map(({ words }) => words))];
}

function describeWebhook({ kind, configuration, name }: Webhook): string {
    return `${name} (${kind} ${configuration})`;
}

function removal(webhooks: readonly Webhook[]): string {
    const all = webhooks.map(({ kind, configuration }) => `kubectl delete ${kind.toLowerCase()} ${configuration}`);
    const unknown = "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations lists them";
    return all.length > 0 ? `remove it: ${[...new Set(all)].join("; ")}` : unknown;
}

function removalOrOpening(webhooks: readonly Webhook[]): string {
    const closed = webhooks.filter(({ failsClosed }) => failsClosed);
    return [removal(webhooks), ...closed.map((each) => `or make it fail open: ${opening(each)}`)].join("; ");
}

/** Configurations of webhooks and policies are exempt from webhooks: the API admits this whatever else it refuses. */
function opening({ kind, configuration, index }: Webhook): string {
    const patch = [{ op: "replace", path: `/webhooks/${index}/failurePolicy`, value: "Ignore" }];
    return `kubectl patch ${kind.toLowerCase()} ${configuration} --type=json -p '${JSON.stringify(patch)}'`;
}

function listed(words: readonly string[]): string {
    const all = [...new Set(words)];
    return all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all.at(-1)}` : (all[0] ?? "");
}
