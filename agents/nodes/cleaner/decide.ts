import { groupInstance } from "../../../clients/aws/ec2-instances";
import { condition, isReady, type Node, type With } from "../../../clients/kubernetes/objects";
import type { NodeCleanerPlan } from "./plan";

export type KnownNode = With<Node, "uid" | "resourceVersion">;

/** A node whose instance may be deleted for good, or never existed. */
export interface Suspect {
    readonly name: string;
    readonly uid: string;
    /** As observed: if the node has changed since, it is observed again. */
    readonly resourceVersion: string;
    /** The instance's ID. */
    readonly instance: string;
    /** A Ready node may still be none of the cluster: anything with a node's certificate can report it as Ready. */
    readonly isReady: boolean;
}

/** How long a node must not be Ready before EC2 is queried: a shorter time is a kubelet restart. Unit: seconds. */
export const suspectSeconds = 30;

/**
 * How long before a missing instance counts as deleted: EC2 may not list an instance that was just created, and lists a
 * terminated one for up to an hour. Unit: seconds.
 */
const unknownSeconds = 300;

/** How often EC2 is queried about Ready nodes. Unit: seconds. */
export const readySeconds = 300;

/** What {@link suspectsAmong} reads of a node. */
export function whatCounts({ metadata, status }: KnownNode): KnownNode {
    const { name, uid, resourceVersion, labels } = metadata;
    const ready = condition(status, "Ready");
    return {
        metadata: { name, uid, resourceVersion, ...(labels && { labels }) },
        status: { conditions: ready ? [ready] : [] },
    };
}

/** Nodes of groups' instances. Never controllers, which belong to the stack. */
export function suspectsAmong(nodes: readonly KnownNode[], plan: NodeCleanerPlan): Suspect[] {
    const { namePattern, controllerLabel } = plan;
    return nodes.flatMap(({ metadata: { name, uid, resourceVersion, labels = {} }, status }) => {
        const instance = groupInstance(name, namePattern);
        return instance && !(controllerLabel in labels)
            ? [{ name, uid, resourceVersion, instance, isReady: isReady(status) }]
            : [];
    });
}

/**
 * Why an instance is deleted for good; `undefined` if it exists, or may exist.
 *
 * One that is shutting down still runs: its pods may work until it is terminated, and others would take their names.
 *
 * @param state - in EC2's terms; `undefined` if EC2 does not list it
 * @param notReadySeconds - how long its node has not been Ready, or EC2 has not listed it while it was Ready
 */
export function removalReason(state: string | undefined, notReadySeconds: number): string | undefined {
    if (state === "terminated") return "is terminated";
    return state === undefined && notReadySeconds >= unknownSeconds ? "is unknown to EC2" : undefined;
}
