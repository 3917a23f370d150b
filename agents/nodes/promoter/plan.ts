import type * as v from "valibot";
import { absolutePath, byName, object, positiveInteger, seconds, text, texts, url } from "../../harness/plan";

export const planSchema = object({
    /** The API as the agent's own machine reaches it: `https://127.0.0.1:6443`. */
    apiServer: url("https"),
    /** Client URL of the etcd member on the agent's own machine: `https://127.0.0.1:2379`. */
    etcd: url("https"),
    /** Absolute path of the member's certificates. */
    pki: absolutePath,
    /** The label of nodes that run the control plane. */
    controllerLabel: text("a label"),
    /** How many controllers the stack wants. */
    count: positiveInteger,
    /** Peer URLs of the stack's own controllers and of all candidates, by node name. */
    peerUrls: byName(text("a peer URL")),
    /** Names of the nodes that may become controllers, in addition to the stack's own. */
    candidates: texts(),
    /** Seconds for which a controller must be lost before a candidate replaces it. */
    replaceAfter: seconds,
});

/** Plan of the agent that makes candidates controllers: `plan.json`. It contains no secrets. */
export type NodePromoterPlan = v.InferOutput<typeof planSchema>;

/** `k8s-app` of the agent, and its service account. */
export const nodePromoterName = "node-promoter";

/**
 * Label of a Node that places agents of its etcd member: `joining` those of a candidate that becomes a controller (it
 * stays while the node is one), `leaving` the one that cleans up a node that was one. Kubelets may not set labels with
 * this prefix (NodeRestriction).
 */
export const memberLabel = "etcd.node-restriction.kubernetes.io/member";
export const memberStates = ["joining", "leaving"] as const;

/**
 * Value of `leavingAnnotation` on a controller that was off when another machine continued the cluster from a snapshot:
 * its disk has an older cluster, which must not be started. The annotation ends with the cleaning up, as for others.
 */
export const takenOver = "taken-over";
