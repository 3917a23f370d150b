import { z } from "zod";
import type { CheckpointFacts } from "../facts";

/** On a Node: what its checkpointer tells, as in its file on the machine. */
export const CHECKPOINTS_ANNOTATION = "tradewind.dev/checkpoints";

/** By namespace and name of what made the pod. */
const status = z.record(
    z.string(),
    z.object({
        checkpoint: z.object({ savedAt: z.string() }).optional(),
        refused: z.string().optional(),
    }),
);

/** What a checkpointer's status tells; none if it is not one. */
export function checkpointFacts(node: string, told: unknown): CheckpointFacts[] {
    const parsed = status.safeParse(told);
    return Object.entries(parsed.data ?? {}).map(([parent, { checkpoint, refused }]) => ({
        node,
        component: parent.replace(/^.*\//, ""),
        savedAt: checkpoint?.savedAt,
        refused,
    }));
}

/** The same from a Node's annotation. */
export function annotatedCheckpoints(node: string, annotation: string | undefined): CheckpointFacts[] {
    try {
        return annotation === undefined ? [] : checkpointFacts(node, JSON.parse(annotation));
    } catch {
        return [];
    }
}
