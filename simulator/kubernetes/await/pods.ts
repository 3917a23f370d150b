import type { Cluster } from "../cluster";
import type { KubernetesObject } from "../object";
import { messagesOf } from "./pod-messages";
import type { Rule } from "./readiness";
import { surroundings } from "./surroundings";

// More say the same.
const MOST = 5;

/** What is said of the pods of an object that are not Ready; nothing when it has none or that can't be learned. */
export async function podMessages(
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
    return pods.flatMap(messagesOf).slice(0, MOST);
}
