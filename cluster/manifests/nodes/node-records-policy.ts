import { joinedMachines } from "../../../agents/nodes/approver/joined";
import { nodePromoterName } from "../../../agents/nodes/promoter/plan";
import { controllersConfig } from "../../../agents/nodes/promoter/record";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { administratorGroups, admissionPolicy, isNoneOf, systemNamespace } from "../objects";
import { nodeApproverUser, userOf } from "../rbac";
import { admittedControllersName, nodePoolsName } from "./node-approver";

/** The ConfigMaps that decide which machines become nodes, and which of them controllers: the agent that may update each. */
const writers: Readonly<Record<string, string | undefined>> = {
    [nodePoolsName]: undefined,
    [admittedControllersName]: undefined,
    [joinedMachines]: nodeApproverUser,
    [controllersConfig]: userOf(nodePromoterName),
};

/**
 * Lets administrators change these ConfigMaps, and their agents update them. Other accounts may be allowed to write
 * ConfigMaps of kube-system: that must not bring them a node, or the control plane's keys.
 */
export function nodeRecordsPolicy(cluster: Pick<Cluster, "certificates">): Manifest[] {
    const exempt = administratorGroups(cluster);
    const names = Object.keys(writers);
    const updates = Object.entries(writers).flatMap(([config, user]) =>
        user ? [`(variables.name == "${config}" && request.userInfo.username == "${user}")`] : [],
    );
    return admissionPolicy("node-records.tradewind.dev", {
        failurePolicy: "Fail",
        matchConstraints: {
            namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": systemNamespace } },
            resourceRules: [
                {
                    apiGroups: [""],
                    apiVersions: ["v1"],
                    resources: ["configmaps"],
                    operations: ["CREATE", "UPDATE", "DELETE"],
                },
            ],
        },
        matchConditions: [
            // Not as the rule's resourceNames: who deletes a collection names none.
            {
                name: "a-record",
                expression: `(object == null ? oldObject : object).metadata.name in ${JSON.stringify(names)}`,
            },
            { name: "not-an-administrator", expression: isNoneOf(exempt) },
        ],
        variables: [{ name: "name", expression: "(object == null ? oldObject : object).metadata.name" }],
        validations: [
            {
                expression: `request.operation == "UPDATE" && (${updates.join(" || ")})`,
                messageExpression: `"the ConfigMap " + variables.name + " decides which machines are nodes or controllers: only ${exempt.join(" and ")} may change it"`,
                reason: "Forbidden",
            },
        ],
    });
}
