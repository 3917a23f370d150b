import type { Notice } from "../../../clients/kubernetes/nodes";
import type { memberStates } from "./plan";
import type { NodeRole } from "./record";

/** One thing to do, which may be repeated after a kill. */
export type Action = Wait | Write | DropRequest | PatchNode | DeleteJoinPods | MoveLeader | RemoveMember;

export interface Wait {
    readonly do: "wait";
    readonly why: string;
    /** A change is under way, requested or needed. */
    readonly isPending: boolean;
}

/** Writes a node's entry in the record. */
export interface Write {
    readonly do: "write";
    readonly node: string;
    /** @default - the entry is removed */
    readonly entry?: Omit<NodeRole, "since">;
    /** Ends a request for the node in the same write. */
    readonly endsRequest?: boolean;
    readonly notice?: Notice;
}

export interface DropRequest {
    readonly do: "drop-request";
    readonly node: string;
    readonly why: string;
}

export interface PatchNode {
    readonly do: "patch-node";
    readonly node: string;
    /** Value of `memberLabel`; null removes it. */
    readonly label?: (typeof memberStates)[number] | null;
    readonly hasRole?: boolean;
    readonly isLeaving?: boolean;
    /** Deletes its etcd-join pods first: they must not add its member again. */
    readonly endsJoin?: boolean;
}

/** Has etcd-join run again. */
export interface DeleteJoinPods {
    readonly do: "delete-join-pods";
    readonly node: string;
}

/** Moves the leadership away from this node's member. */
export interface MoveLeader {
    readonly do: "move-leader";
    readonly node: string;
}

export interface RemoveMember {
    readonly do: "remove-member";
    readonly node: string;
    readonly ID: string;
}

export function wait(why: string): Wait {
    return { do: "wait", why, isPending: true };
}

export function idle(why: string): Wait {
    return { do: "wait", why, isPending: false };
}
