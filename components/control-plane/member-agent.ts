import { priorities } from "../cluster/priorities";
import type { PodSpec } from "./pod";

/** Where an agent of an etcd member runs, and as whom: on its machine, as root, whose are the files that it writes. */
export function onMemberNode(node: string): Omit<PodSpec, "containers"> {
    return {
        nodeSelector: { "kubernetes.io/hostname": node },
        hostNetwork: true,
        dnsPolicy: "Default",
        priorityClassName: priorities.node.name,
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        tolerations: [{ operator: "Exists" }],
        securityContext: { runAsUser: 0, runAsGroup: 0, seccompProfile: { type: "RuntimeDefault" } },
    };
}
