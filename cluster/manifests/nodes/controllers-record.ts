import { nodePromoterName } from "../../../agents/nodes/promoter/plan";
import { controllersConfig } from "../../../agents/nodes/promoter/record";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { administratorGroups, admissionPolicy, isNoneOf, systemNamespace } from "../objects";
import { userOf } from "../rbac";

/**
 * Which nodes are controllers: node-promoter's record and administrators' requests. The stack creates it and leaves its
 * data alone.
 */
export function controllersRecord(): Manifest {
    return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: controllersConfig, namespace: systemNamespace } };
}

/**
 * Lets node-promoter and administrators change the record, and only administrators delete it: it decides which nodes get
 * the control plane's keys, and other accounts may be allowed to write ConfigMaps of kube-system.
 */
export function controllersRecordPolicy(cluster: Pick<Cluster, "certificates">): Manifest[] {
    const exempt = administratorGroups(cluster);
    return admissionPolicy("controllers.tradewind.dev", {
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
                name: "the-record",
                expression: `(object == null ? oldObject : object).metadata.name == "${controllersConfig}"`,
            },
            { name: "not-an-administrator", expression: isNoneOf(exempt) },
        ],
        validations: [
            {
                expression: `request.operation == "UPDATE" && request.userInfo.username == "${userOf(nodePromoterName)}"`,
                message: `the ConfigMap ${controllersConfig} decides which nodes are controllers: only ${exempt.join(" and ")} may change it`,
                reason: "Forbidden",
            },
        ],
    });
}
