import { checkpointerParent, statusAnnotation } from "../checkpointer/plan";
import type { Status } from "../checkpointer/status";
import type { Node } from "./nodes";

/** What a controller still keeps, in its checkpointer's words, or undefined. One that never had a checkpointer has nothing. */
export function keptCheckpoints({ metadata: { name, annotations } }: Node): string | undefined {
    const told = annotations?.[statusAnnotation];
    if (told === undefined) {
        return undefined;
    }
    let status: Status;
    try {
        status = JSON.parse(told);
    } catch {
        return `${name} has a ${statusAnnotation} that is no JSON`;
    }
    // The checkpointer's own copy only sleeps on a node that leaves: it has nothing to start.
    const kept = Object.keys(status).filter((parent) => parent !== checkpointerParent && status[parent]?.checkpoint);
    return kept.length === 0 ? undefined : `${name} has those of ${kept.join(", ")}`;
}
