import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { admissionPolicy } from "../objects";

const name = "static-pods.tradewind.dev";

/**
 * Accepts static pods from kubelets of controllers only, which run etcd and the checkpointer's copies with them.
 *
 * A kubelet lists its static pods itself, with any labels. As one of a Service's endpoints, such a pod answers other pods:
 * in kube-system for the cluster's DNS. It still runs on its node, but no Service and no NetworkPolicy counts it.
 */
export function staticPodPolicy({ name: cluster }: Pick<Cluster, "name">): Manifest[] {
    return admissionPolicy(name, {
        failurePolicy: "Fail",
        matchConstraints: {
            resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["CREATE"] }],
        },
        matchConditions: [{ name: "a-kubelet", expression: '"system:nodes" in request.userInfo.?groups.orValue([])' }],
        validations: [
            {
                expression: `request.userInfo.username.matches("^system:node:${cluster}-controller-[0-9]+$")`,
                message: "static pods are for controllers: use a DaemonSet",
                reason: "Forbidden",
            },
        ],
    });
}
