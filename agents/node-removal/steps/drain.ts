import { evict } from "../../common/evict";
import { isReachable, listLeaving, type Node } from "../nodes";
import { isEvictable, type Pod, podName, podsOn } from "../pods";
import type { Run, Step } from "../run";
import { tryApiUntil } from "../try-until";

/** The pods of the nodes that leave have ended, as their disruption budgets allow. */
export const drain: Step = {
    name: "drain",
    run: async (run) => {
        const seen = new Set<string>();
        await tryApiUntil(run, "the pods of the nodes that leave to end", async () => {
            const nodes = await listLeaving(run);
            const left = (await Promise.all(nodes.map((node) => drainNode(run, node)))).flat();
            for (const { pod } of left) {
                seen.add(pod);
            }
            return left.length === 0 ? undefined : left.map(({ pod, state }) => `${pod} ${state}`).join("; ");
        });
        return seen.size === 0 ? "no pods to evict" : `evicted ${[...seen].join(", ")}`;
    },
};

/** Evicts what may be evicted, and tells what is left, and in which state. */
async function drainNode({ api }: Run, node: Node): Promise<{ pod: string; state: string }[]> {
    const pods = (await podsOn(api, node.metadata.name)).filter(isEvictable);
    const isEnding = ({ metadata }: Pod) => metadata.deletionTimestamp !== undefined;
    // Nobody confirms the end of a pod on a machine that is lost.
    const left = isReachable(node) ? pods : pods.filter((pod) => !isEnding(pod));
    return Promise.all(
        left.map(async (pod) => ({ pod: podName(pod), state: isEnding(pod) ? "is ending" : await evict(api, pod) })),
    );
}
