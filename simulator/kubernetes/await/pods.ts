import type { Cluster } from "../cluster";
import type { KubernetesObject } from "../object";
import { problemsOf } from "./pod-problems";
import type { Rule } from "./readiness";
import { surroundings } from "./surroundings";

// More say the same.
const MOST = 5;

/** What is wrong with the pods of an object; nothing when it has none or nobody can tell. */
export async function podProblems(
    cluster: Cluster,
    object: KubernetesObject,
    rule: Rule,
    signal: AbortSignal,
): Promise<string[]> {
    const labels = rule.pods?.(object);
    if (!labels || signal.aborted) return [];
    const selector = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
    const pods = await surroundings(cluster, object, signal)
        .list("v1", "Pod", selector.join(","))
        .catch(() => []);
    return pods.flatMap(problemsOf).slice(0, MOST);
}
