import { type AdmissionRefusal, admissionRefusal } from "../../clients/kubernetes/admission-refusal";
import { type Webhook, writesOf } from "./webhooks";

export type ContainerLimits = Readonly<Record<string, string>>;

/** Limits of containers, by their names. */
export type PodShape = Readonly<Record<string, ContainerLimits>>;

/** A dry run of a write on which the control plane depends. */
export interface Trial {
    /** What was written, in words. */
    readonly words: string;
    /** The API's message. @default - it was admitted, or nothing was answered */
    readonly refusal?: string;
    /** Whether no answer came in time. @default false */
    readonly isSilent?: boolean;
    /** Of a pod that was admitted. */
    readonly shapes?: { readonly sent: PodShape; readonly admitted: PodShape };
}

/** What decides on admission in a cluster, and what it does. */
export interface Observation {
    readonly trials: readonly Trial[];
    readonly webhooks: readonly (Webhook & {
        /** Whether its Service has endpoints that are ready. @default - it has a URL */
        readonly hasEndpoints?: boolean;
    })[];
    /** Of namespaces, by name. */
    readonly labels: Readonly<Record<string, Readonly<Record<string, string>>>>;
    /** Names of those of kube-system. */
    readonly limitRanges: readonly string[];
    /** For which trials waited. */
    readonly seconds: number;
}

/** Something that decides on what the control plane writes, and what to do about it. */
export interface AdmissionProblem {
    /**
     * `blocks`: writes are refused. `limits`: the control plane's next pods get limits that may end them. `alters`: they get
     * more containers. `risk`: writes are refused once pods of the cluster do not run.
     */
    readonly effect: "blocks" | "limits" | "alters" | "risk";
    /** A sentence without its full stop. */
    readonly message: string;
    /** With commands. */
    readonly advice: string;
}

type Seen = Observation["webhooks"][number];

/** What keeps a control plane from its work, or would after a power cut: each webhook or policy once. */
export function admissionProblems(observation: Observation): AdmissionProblem[] {
    const { trials, webhooks } = observation;
    const refused = refusedBy(trials);
    const blocked = refused.map(({ refusal, words }) => blockedBy(refusal, words, observation));
    const told = new Set(refused.flatMap(({ refusal }) => webhookNamed(refusal, webhooks)));
    const rest = webhooks.filter((webhook) => !told.has(webhook));
    return [
        ...blocked,
        ...silences(trials, rest, observation),
        ...rest.flatMap((webhook) => withoutBackend(webhook, observation)),
        ...limited(observation),
        ...altered(observation),
        ...rest.flatMap((webhook) => dependent(webhook, observation)),
    ];
}

/** One for each webhook or policy, with all that it refused. */
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

function webhookNamed({ kind, name }: AdmissionRefusal, webhooks: readonly Seen[]): Seen[] {
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
            return problem(`${which} fails, and so the API refuses ${words}: ${detail}`, removalOrOpening(hooks));
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

/** A write without an answer, though reads have one: those that are called for it are suspect. */
function silences(trials: readonly Trial[], webhooks: readonly Seen[], { labels, seconds }: Observation) {
    const silent = trials.filter(({ isSilent }) => isSilent).map(({ words }) => words);
    const suspects = webhooks.filter((webhook) => writesOf(webhook, labels).length > 0);
    if (silent.length === 0 || suspects.length === 0) return [];
    const names = suspects.map(describeWebhook).join(" or ");
    const message = `the webhook ${names} is called for ${listed(silent)}, of which a dry run had no answer within ${seconds} s`;
    return [{ effect: "blocks" as const, message, advice: removalOrOpening(suspects) }];
}

/** One that would fail, though nothing of what was tried came by it. */
function withoutBackend(webhook: Seen, { labels }: Observation): AdmissionProblem[] {
    const { service, failsClosed, isSelective, hasEndpoints } = webhook;
    const words = wordsOf(webhook, labels);
    if (!failsClosed || isSelective || hasEndpoints !== false || words.length === 0) return [];
    const where = `its Service ${service!.namespace}/${service!.name} has no endpoints`;
    const message = `the webhook ${describeWebhook(webhook)} cannot answer, and so the API refuses ${listed(words)}: ${where}`;
    return [{ effect: "blocks", message, advice: removalOrOpening([webhook]) }];
}

/** One that has to run in the cluster so that the cluster can start. */
function dependent(webhook: Seen, { labels }: Observation): AdmissionProblem[] {
    const { service, failsClosed, isSelective, hasEndpoints } = webhook;
    const words = wordsOf(webhook, labels);
    if (!failsClosed || isSelective || hasEndpoints !== true || words.length === 0) return [];
    const where = `pods of the cluster (Service ${service!.namespace}/${service!.name})`;
    const message = `the webhook ${describeWebhook(webhook)} decides on ${listed(words)}, and is ${where}: when they do not run, as after a power cut, nothing else starts`;
    const advice = `exclude kube-system and kube-node-lease by its namespaceSelector, or let it fail open: ${opening(webhook)}`;
    return [{ effect: "risk", message, advice }];
}

/** Limits that a pod gets, though its template has none: the memory of 64Mi that is enough for a shell ends kube-apiserver. */
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
        { effect: "alters", message, advice: `exclude kube-system by its namespaceSelector, or ${removal(mutating)}` },
    ];
}

function mutators(webhooks: readonly Seen[], labels: Observation["labels"]): Seen[] {
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
    const unknown = "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations shows them";
    return all.length > 0 ? `remove it: ${[...new Set(all)].join("; ")}` : unknown;
}

function removalOrOpening(webhooks: readonly Webhook[]): string {
    const closed = webhooks.filter(({ failsClosed }) => failsClosed);
    return [removal(webhooks), ...closed.map((each) => `or let it fail open: ${opening(each)}`)].join("; ");
}

/** Configurations of webhooks and policies pass no webhook: the API admits this whatever else it refuses. */
function opening({ kind, configuration, index }: Webhook): string {
    const patch = [{ op: "replace", path: `/webhooks/${index}/failurePolicy`, value: "Ignore" }];
    return `kubectl patch ${kind.toLowerCase()} ${configuration} --type=json -p '${JSON.stringify(patch)}'`;
}

function listed(words: readonly string[]): string {
    const all = [...new Set(words)];
    return all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all.at(-1)}` : (all[0] ?? "");
}
