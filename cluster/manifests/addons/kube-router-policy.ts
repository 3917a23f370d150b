import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { administratorGroups, admissionPolicy, annotationVariables, changesOfNodes } from "../objects";

const prefix = "kube-router.io/";

/**
 * Keeps nodes from configuring kube-router on other nodes. It reads annotations of every Node: which addresses are pods'
 * (`pod-cidr`, `pod-cidrs`), who reflects routes (`rr.server`, `rr.client`), which network a node belongs to (`node.asn`),
 * peers of one's own (`peer.*`). Nothing of the cluster sets any of them, and root on any worker may change its own Node.
 *
 * Source: network_routes_controller.go of kube-router 2.1.0.
 *
 * Annotations from before the policy stay until they change.
 */
export function kubeRouterPolicy(cluster: Pick<Cluster, "certificates">): Manifest[] {
    const exempt = administratorGroups(cluster);
    return admissionPolicy("kube-router.tradewind.dev", {
        ...changesOfNodes(exempt),
        variables: annotationVariables(prefix),
        validations: [
            {
                expression: "variables.isUnchanged",
                message: `annotations ${prefix}* of a Node configure routes of all nodes: only ${exempt.join(" and ")} may change them`,
                reason: "Forbidden",
            },
        ],
    });
}
