import { controllersConfig, controllersKey, demotedKey } from "../../../agents/nodes/promoter/record";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { admissionPolicy, systemNamespace } from "../objects";

const name = "static-pods.tradewind.dev";

/**
 * Accepts static pods from kubelets of controllers only, which run etcd and the checkpointer's copies with them.
 *
 * A kubelet lists its static pods itself, with any labels. As one of a Service's endpoints, such a pod answers other pods:
 * in kube-system for the cluster's DNS. It still runs on its node, but no Service and no NetworkPolicy counts it.
 */
export function staticPodPolicy({ name: cluster, controllers }: Pick<Cluster, "name" | "controllers">): Manifest[] {
    const own = `request.userInfo.username.matches("${controllerUsers(cluster)}")`;
    const { candidates } = controllers;
    return [
        ...admissionPolicy(name, {
            ...staticPods([]),
            validations: [
                {
                    expression: candidates.length > 0 ? `${own} || ${isOneOf(candidates)}` : own,
                    message: "static pods are for controllers: use a DaemonSet",
                    reason: "Forbidden",
                },
            ],
        }),
        ...(candidates.length > 0 ? rolePolicies(cluster, candidates) : []),
    ];
}

/**
 * Of the candidates only those that node-promoter has recorded as controllers, and none of the stack's own controllers
 * that were demoted. Without the record, no candidate is a controller, and the stack's own are.
 */
function rolePolicies(cluster: string, candidates: readonly string[]): Manifest[] {
    const record = { name: controllersConfig, namespace: systemNamespace };
    const message = "static pods are for controllers, and this node is only a candidate";
    return [
        ...admissionPolicy(
            `candidates.${name}`,
            {
                ...staticPods([{ name: "a-candidate", expression: isOneOf(candidates) }]),
                ...withRecord,
                variables: [nodeVariable],
                // The keys of an object are in no fixed order, and quotes in its texts are escaped.
                validations: [{ expression: isListed, message, reason: "Forbidden" }],
            },
            { ...record, parameterNotFoundAction: "Deny" },
        ),
        ...admissionPolicy(
            `demoted.${name}`,
            {
                ...staticPods([
                    {
                        name: "a-controller",
                        expression: `request.userInfo.username.matches("${controllerUsers(cluster)}")`,
                    },
                ]),
                ...withRecord,
                variables: [nodeVariable],
                validations: [
                    {
                        expression: `!(("${demotedKey("")}" + variables.node) in params.?data.orValue({}))`,
                        message,
                        reason: "Forbidden",
                    },
                ],
            },
            { ...record, parameterNotFoundAction: "Allow" },
        ),
    ];
}

const withRecord = { paramKind: { apiVersion: "v1", kind: "ConfigMap" } };

const kubeletUser = "system:node:";

const nodeVariable = {
    name: "node",
    expression: `request.userInfo.username.substring(${kubeletUser.length})`,
};

const isListed = [
    `params.?data[?"${controllersKey}"].orValue("")`,
    `.matches("\\"" + variables.node + "\\":\\\\s*\\\\{[^{}]*\\"role\\":\\\\s*\\"(joining|controller)\\"")`,
].join("");

function controllerUsers(cluster: string): string {
    return `^${kubeletUser}${cluster}-controller-[0-9]+$`;
}

function isOneOf(nodes: readonly string[]): string {
    return `request.userInfo.username in [${nodes.map((node) => `"${kubeletUser}${node}"`).join(", ")}]`;
}

/** @param further - conditions on the kubelet */
function staticPods(further: readonly object[]) {
    return {
        failurePolicy: "Fail",
        matchConstraints: {
            resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["CREATE"] }],
        },
        matchConditions: [
            { name: "a-kubelet", expression: '"system:nodes" in request.userInfo.?groups.orValue([])' },
            ...further,
        ],
    };
}
