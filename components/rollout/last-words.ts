import type { ApiClient } from "../../agents/common/api-client";
import { problemsOf, type RolloutPod } from "./pod-problems";

/** An object whose pods Pulumi waits for. */
export interface Workload {
    readonly kind?: string;
    readonly metadata?: { readonly name?: string; readonly namespace?: string };
    readonly spec?: { readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> } };
}

interface List<T> {
    readonly items: readonly T[];
}

interface Event {
    readonly reason?: string;
    readonly message?: string;
    readonly involvedObject: { readonly kind?: string; readonly name?: string };
}

/** More say the same. */
const most = 5;

/** What the pods of a rollout that failed said last; where there are none, why nothing made them. */
export async function lastWords(api: ApiClient, { kind, metadata, spec }: Workload): Promise<string[]> {
    const { name = "", namespace = "default" } = metadata ?? {};
    const labels = kind === "Job" ? { "job-name": name } : spec?.selector?.matchLabels;
    if (labels === undefined) return [];
    const selector = Object.entries(labels).map(([label, value]) => `${label}=${value}`);
    const path = `/api/v1/namespaces/${namespace}`;
    const pods = await api.call<List<RolloutPod>>(
        `${path}/pods?labelSelector=${encodeURIComponent(selector.join(","))}`,
    );
    const problems = pods.items.flatMap(problemsOf);
    if (problems.length > 0) return problems.slice(0, most);
    const { items } = await api.call<List<Event>>(`${path}/events?fieldSelector=reason%3DFailedCreate`);
    const own = items
        .filter(({ involvedObject: about }) => makes(about, kind, name))
        .flatMap(({ message }) => message ?? []);
    return [...new Set(own)].slice(-1).map((message) => `no pod can be created: ${message}`);
}

/** A Deployment's pods are made by a ReplicaSet that has its name and a hash. */
function makes(about: Event["involvedObject"], kind: string | undefined, name: string): boolean {
    if (kind !== "Deployment") return about.kind === kind && about.name === name;
    return about.kind === "ReplicaSet" && about.name?.replace(/-[^-]+$/, "") === name;
}
