import { checkpointerParent, statusAnnotation } from "../checkpointer/plan";
import type { Status } from "../checkpointer/status";
import type { Node } from "./nodes";

/** What a controller still keeps, in its checkpointer's words, or undefined. One that never had a checkpointer has nothing. */
export function keptCheckpoints({ metadata: { name, annotations } }: Node): string | undefined {
    const told = annotations?.[statusAnnotation];
    if (told === undefined) {
        return undefined;
    }
    const status = parse(told);
    if (status === undefined) {
        return `${name} has a ${statusAnnotation} that nobody can read`;
    }
    // The checkpointer's own copy only sleeps on a node that leaves: it has nothing to start.
    const kept = Object.keys(status).filter((parent) => parent !== checkpointerParent && status[parent]?.checkpoint);
    return kept.length === 0 ? undefined : `${name} has those of ${kept.join(", ")}`;
}

function parse(told: string): Status | undefined {
    try {
        return JSON.parse(told) ?? undefined;
    } catch {
        return undefined;
    }
}
