import { memberLabel, memberStates, nodePromoterName } from "../../../agents/nodes/promoter/plan";
import { controllerLabel, poolLabel } from "../../labels";
import type { Manifest } from "../../manifest";
import { type Cluster, possibleControllers } from "../../model";
import { administratorGroups, admissionPolicy, changesOfNodes } from "../objects";
import { nodeApproverUser, userOf } from "../rbac";
import { nodeRemovalName } from "./node-removal";

const name = "placement.tradewind.dev";

/** Label that assigns agents of etcd members to their machines before these have the controllers' role label. */
const hostnameLabel = "kubernetes.io/hostname";

/** Set by kube-apiserver for every token that a kubelet requested for a pod. */
const nodeOfToken = "authentication.kubernetes.io/node-name";

/**
 * Protects labels of Nodes that place pods with the cluster's keys, so that such pods cannot be attracted to another
 * machine, the label of the pool whose agent changes a node's kubelet, and the block of pod addresses.
 *
 * Kubernetes' NodeRestriction only restricts kubelets, and leaves them their hostname label. Clients that may patch
 * `nodes/status`, such as flannel on every node, can change labels with it, so they are restricted to their own node.
 * kube-apiserver evaluates the policy itself; nothing has to run for it.
 */
export function placementPolicy(cluster: Pick<Cluster, "name" | "certificates" | "controllers">): Manifest[] {
    return admissionPolicy(name, specOf(cluster, administratorGroups(cluster)));
}

// Optional values: expressions must not fail, because that denies the request, including a kubelet's heartbeat.
const specOf = (
    { name: cluster, controllers }: Pick<Cluster, "name" | "controllers">,
    exempt: readonly string[],
    hasCandidates = controllers.candidates.length > 0,
    isOwn = `object.metadata.name.matches("^${cluster}-controller-[0-9]+$")`,
) => ({
    ...changesOfNodes(exempt),
    variables: [
        ...(hasCandidates ? candidateVariables(controllers) : []),
        ...beforeAndAfter("role", controllerLabel),
        ...beforeAndAfter("hostname", hostnameLabel),
        ...beforeAndAfter("pool", poolLabel),
        { name: "inPool", expression: `"${cluster}-" + variables.pool.orValue("") + "-"` },
    ],
    validations: [
        {
            expression: [
                "variables.role == variables.oldRole",
                `!variables.role.hasValue() && request.userInfo.username == "${userOf(nodeRemovalName)}"`,
                [
                    `request.userInfo.username == "${nodeApproverUser}"`,
                    'variables.role == optional.of("")',
                    hasCandidates ? `(${isOwn} || object.metadata.name in ${namesOf(controllers.candidates)})` : isOwn,
                ].join(" && "),
                ...(hasCandidates
                    ? ['variables.isPromoting && variables.role in [optional.none(), optional.of("")]']
                    : []),
            ].join(" || "),
            message: `the label ${controllerLabel} brings the control plane and its keys to a node: only ${exempt.join(" and ")} may change it`,
            reason: "Forbidden",
        },
        ...(hasCandidates ? [memberRule(exempt)] : []),
        {
            expression: [
                "variables.hostname == variables.oldHostname",
                "variables.hostname == optional.of(object.metadata.name)",
            ].join(" || "),
            message: `the label ${hostnameLabel} must be the node's name: only ${exempt.join(" and ")} may say another`,
            reason: "Forbidden",
        },
        {
            expression: [
                "variables.pool == variables.oldPool",
                // Names of the stack contain their pool's.
                [
                    "object.metadata.name.startsWith(variables.inPool)",
                    'object.metadata.name.substring(size(variables.inPool)).matches("^[0-9]+$")',
                ].join(" && "),
                // Others are named by their cloud: their kubelets say the pool once.
                [
                    "oldObject == null",
                    `variables.pool != optional.of("controller")`,
                    `!object.metadata.name.matches("^${cluster}-.+-[0-9]+$")`,
                ].join(" && "),
            ].join(" || "),
            message: `the label ${poolLabel} must stay the node's pool: only ${exempt.join(" and ")} may change it`,
            reason: "Forbidden",
        },
        {
            expression: [
                '!("system:nodes" in request.userInfo.?groups.orValue([]))',
                "object.?spec.?podCIDR == (oldObject == null ? optional.none() : oldObject.?spec.?podCIDR)",
            ].join(" || "),
            message: "kubelets must not choose their node's pod addresses, which kube-controller-manager assigns",
            reason: "Forbidden",
        },
        {
            expression: [
                `request.userInfo.username != "${userOf("flannel")}"`,
                [
                    "oldObject != null",
                    "object.metadata.?labels == oldObject.metadata.?labels",
                    // Only administrators can get a token that is not bound to a node.
                    `object.metadata.name in request.userInfo.?extra[?"${nodeOfToken}"].orValue([object.metadata.name])`,
                ].join(" && "),
            ].join(" || "),
            message: "flannel must change the node that it runs on alone, and no label of it",
            reason: "Forbidden",
        },
    ],
});

/** `isPromoting`: the request is of the agent that makes candidates controllers, for one of the nodes that it may change. */
function candidateVariables(controllers: Cluster["controllers"]) {
    return [
        ...beforeAndAfter("member", memberLabel),
        {
            name: "isPromoting",
            expression: `request.userInfo.username == "${userOf(nodePromoterName)}" && object.metadata.name in ${namesOf(possibleControllers({ controllers }))}`,
        },
    ];
}

function namesOf(nodes: readonly string[]): string {
    return `[${nodes.map((node) => `"${node}"`).join(", ")}]`;
}

/** Of the label by which a candidate's member of etcd, with its key, finds its machine. */
function memberRule(exempt: readonly string[]) {
    const states = [undefined, ...memberStates].map((state) => (state ? `optional.of("${state}")` : "optional.none()"));
    return {
        expression: [
            "variables.member == variables.oldMember",
            `variables.isPromoting && variables.member in [${states.join(", ")}]`,
        ].join(" || "),
        message: `the label ${memberLabel} brings a member of etcd and its key to a node: only ${exempt.join(" and ")} may change it`,
        reason: "Forbidden",
    };
}

/** A label's new and old value: `role`, `oldRole`. */
function beforeAndAfter(variable: string, label: string) {
    const old = `old${variable[0]!.toUpperCase()}${variable.slice(1)}`;
    return [
        { name: variable, expression: labelOf("object", label) },
        // A Node being created has no old object.
        { name: old, expression: `oldObject == null ? optional.none() : ${labelOf("oldObject", label)}` },
    ];
}

function labelOf(object: string, label: string): string {
    return `${object}.metadata.?labels[?"${label}"]`;
}
