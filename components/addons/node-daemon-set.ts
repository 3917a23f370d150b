import type { types } from "@pulumi/kubernetes";
import type { Manifest } from "../cluster/manifest";
import { priorities } from "../cluster/priorities";

/** A DaemonSet that every node needs before it can run anything else. */
export function nodeDaemonSet(name: string, spec: types.input.core.v1.PodSpec): Manifest {
    const labels = { "k8s-app": name };
    return {
        apiVersion: "apps/v1",
        kind: "DaemonSet",
        metadata: { name, namespace: "kube-system", labels },
        spec: {
            selector: { matchLabels: labels },
            updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1 } },
            template: {
                metadata: { labels },
                spec: {
                    hostNetwork: true,
                    dnsPolicy: "Default",
                    priorityClassName: priorities.node.name,
                    tolerations: [{ operator: "Exists" }],
                    securityContext: { seccompProfile: { type: "RuntimeDefault" } },
                    ...spec,
                },
            },
        },
    };
}
