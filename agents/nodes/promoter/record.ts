import * as v from "valibot";
import type { ConfigMap } from "../../../clients/kubernetes/objects";
import { byName, object, planProblems } from "../../harness/plan";

/**
 * ConfigMap of kube-system with who is a controller and why. The stack creates it without data; the agent and
 * administrators write its data.
 */
export const controllersConfig = "controllers";

/** Key of its data with the {@link Controllers}, as JSON. */
export const controllersKey = "controllers.json";

/** Key of its data with what an administrator asks for: `promote` or `demote`. */
export function requestKey(node: string): string {
    return `request.${node}`;
}

/**
 * Prefix of the keys of nodes that must have no etcd member, because they were demoted or replaced. etcd-join reads
 * them as files.
 */
export function demotedKey(node: string): string {
    return `demoted.${node}`;
}

/** Key of its data with what a change under way, or a request, waits for. Missing if there is none. */
export const progressKey = "progress";

/** By node name. A controller of the stack that was never demoted need not be listed. */
export type Controllers = Readonly<Record<string, NodeRole>>;

export interface NodeRole {
    readonly role: (typeof roles)[number];
    /** When it became that: RFC 3339. */
    readonly since: string;
    /** In a few words: `lost for 60 s`, `instead of c-controller-1 (lost for 60 s)`. */
    readonly why: string;
    /**
     * A candidate that does not become a controller by itself: because an administrator demoted it, or for a while
     * because it failed to join. @default - it may
     */
    readonly excluded?: (typeof exclusions)[number];
}

/** `joining` and `leaving` are on their way to `controller` and `candidate`. */
export const roles = ["candidate", "joining", "controller", "leaving"] as const;

export const exclusions = ["requested", "failed"] as const;

export const controllersSchema = byName(
    object({
        role: v.picklist(roles, `one of ${roles.join(", ")}`),
        since: v.string("a time"),
        why: v.string("a text"),
        excluded: v.optional(v.picklist(exclusions, `one of ${exclusions.join(", ")}`)),
    }),
    "an object of nodes",
);

/** A node's role. One that is not in the record is what the stack made it. */
export function roleIn(record: Controllers, candidates: readonly string[], node: string): NodeRole["role"] {
    if (Object.hasOwn(record, node)) return record[node]!.role;
    return candidates.includes(node) ? "candidate" : "controller";
}

/** Throws if it cannot be read: then nothing is changed. */
export function readRecord({ data = {} }: Pick<ConfigMap, "data">): Controllers {
    const text = data[controllersKey];
    if (text === undefined) return {};
    let record: unknown;
    try {
        record = JSON.parse(text);
    } catch (error) {
        throw new Error(`${controllersKey} is not JSON: ${(error as Error).message}`);
    }
    const problems = planProblems(record, controllersSchema);
    if (problems.length > 0) throw new Error(`${controllersKey}: ${problems.join("; ").trim()}`);
    return record as Controllers;
}
