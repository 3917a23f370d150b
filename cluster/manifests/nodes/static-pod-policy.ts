import { controllersConfig, controllersKey, demotedKey } from "../../../agents/nodes/promoter/record";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { admissionPolicy, systemNamespace } from "../objects";

const name = "static-pods.tradewind.dev";

const staticPods = {
    failurePolicy: "Fail",
    matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["CREATE"] }],
    },
    matchConditions: [{ name: "a-kubelet", expression: '"system:nodes" in request.userInfo.?groups.orValue([])' }],
};

/**
 * Accepts static pods from kubelets of controllers only, which run etcd and the checkpointer's copies with them.
 *
 * A kubelet lists its static pods itself, with any labels. As one of a Service's endpoints, such a pod answers other pods:
 * in kube-system for the cluster's DNS. It still runs on its node, but no Service and no NetworkPolicy counts it.
 */
export function staticPodPolicy({ name: cluster, controllers }: Pick<Cluster, "name" | "controllers">): Manifest[] {
    const own = `request.userInfo.username.matches("^${kubeletUser}${cluster}-controller-[0-9]+$")`;
    const { candidates, arbiter } = controllers;
    // Its member of etcd is one.
    const others = [...candidates, ...(arbiter?.nodes ?? [])];
    return [
        ...admissionPolicy(name, {
            ...staticPods,
            validations: [
                {
                    expression: others.length > 0 ? `${own} || ${isOneOf(others)}` : own,
                    message: "static pods are for controllers: use a DaemonSet",
                    reason: "Forbidden",
                },
            ],
        }),
        ...(candidates.length > 0 ? candidatePolicy(candidates) : []),
    ];
}

/**
 * Of the candidates only those that node-promoter has recorded as controllers, and none of the stack's own controllers
 * that were demoted.
 *
 * A policy of its own, which needs the record: without it, kube-apiserver would deny all static pods before it reads any
 * condition, or none. It must not deny those of the first controllers.
 */
function candidatePolicy(candidates: readonly string[]): Manifest[] {
    const spec = {
        ...staticPods,
        paramKind: { apiVersion: "v1", kind: "ConfigMap" },
        variables: [{ name: "node", expression: `request.userInfo.username.substring(${kubeletUser.length})` }],
        validations: [
            {
                expression: `${isOneOf(candidates)} ? ${isListed} : ${isNotDemoted}`,
                message: "static pods are for controllers, and this node is only a candidate",
                reason: "Forbidden",
            },
        ],
    };
    return admissionPolicy(`candidates.${name}`, spec, {
        name: controllersConfig,
        namespace: systemNamespace,
        parameterNotFoundAction: "Allow",
    });
}

const kubeletUser = "system:node:";

// The keys of an object are in no fixed order, and quotes in its texts are escaped.
const isListed =
    `params.?data[?"${controllersKey}"].orValue("").matches(` +
    `'"' + variables.node + r'":\\s*\\{[^{}]*"role":\\s*"(joining|controller)"')`;

const isNotDemoted = `!("${demotedKey("")}" + variables.node in params.?data.orValue({}))`;

function isOneOf(nodes: readonly string[]): string {
    return `request.userInfo.username in [${nodes.map((node) => `"${kubeletUser}${node}"`).join(", ")}]`;
}
