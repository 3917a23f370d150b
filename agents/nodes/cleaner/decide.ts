import { groupInstance } from "../../../clients/aws/ec2-instances";
import { type Conditions, isReady } from "../../../clients/kubernetes/nodes";
import type { NodeCleanerPlan } from "./plan";

export interface SeenNode {
    readonly metadata: {
        readonly name: string;
        readonly uid: string;
        readonly resourceVersion: string;
        readonly labels?: Readonly<Record<string, string>>;
    };
    readonly status?: Conditions;
}

/** A node whose instance may be gone. */
export interface Suspect {
    readonly name: string;
    readonly uid: string;
    /** As it was looked at: what changed since is looked at again. */
    readonly resourceVersion: string;
    /** The instance's id. */
    readonly instance: string;
}

/** How long a node is not Ready before anybody is asked: less is a restart of its kubelet. Unit: seconds. */
export const suspectSeconds = 30;

/**
 * How long it is so before EC2's not knowing an instance counts: EC2 may not know one yet that it just made, and tells of
 * one that was terminated for up to an hour. Unit: seconds.
 */
const unknownSeconds = 300;

/** Nodes of groups' instances that are not Ready. Never controllers: those are the stack's own. */
export function suspectsAmong(nodes: readonly SeenNode[], plan: NodeCleanerPlan): Suspect[] {
    const { namePattern, controllerLabel } = plan;
    return nodes.flatMap(({ metadata: { name, uid, resourceVersion, labels = {} }, status }) => {
        const instance = groupInstance(name, namePattern);
        return instance && !(controllerLabel in labels) && !isReady(status)
            ? [{ name, uid, resourceVersion, instance }]
            : [];
    });
}

/**
 * Why an instance is gone for good; `undefined` if it is there, or may be.
 *
 * One that shuts down still runs: its pods may be at work until it is terminated, and others would take their names.
 *
 * @param state - as EC2 calls it; `undefined` of one that it does not know
 * @param awaySeconds - how long its node has not been Ready
 */
export function whyGone(state: string | undefined, awaySeconds: number): string | undefined {
    if (state === "terminated") return "is terminated";
    return state === undefined && awaySeconds >= unknownSeconds ? "is unknown to EC2" : undefined;
}
