import { kubeletPodApp } from "../../../agents/nodes/node-agent/layout";
import { type Manifest, priorities } from "../../manifest";
import type { Cluster } from "../../model";
import { immutableConfigMap } from "../agent-workloads";
import { holdsLock, startScript } from "../control-plane/kubelet-start";
import { lastWords, type PodSpec } from "../pod";

const name = kubeletPodApp;
const programPath = "/opt/tradewind/kubelet-pod";

/** The kubelet of every node as a pod of it, which the host's kubelet starts, and gives way to: docs/levels.md. */
export function selfHostedKubelet(cluster: Cluster): Manifest[] {
    const config = immutableConfigMap(name, { start: startScript });
    const labels = { "k8s-app": name };
    return [
        config,
        {
            apiVersion: "apps/v1",
            kind: "DaemonSet",
            metadata: { name, namespace: "kube-system", labels },
            spec: {
                selector: { matchLabels: labels },
                // Two on a node would take the lock from the host's kubelet by turns.
                updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
                template: { metadata: { labels }, spec: podSpec(cluster, config.metadata.name) },
            },
        },
    ];
}

function podSpec({ images }: Cluster, config: string): PodSpec {
    return {
        hostNetwork: true,
        hostPID: true,
        dnsPolicy: "Default",
        priorityClassName: priorities.node.name,
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        tolerations: [{ operator: "Exists" }],
        terminationGracePeriodSeconds: 10,
        containers: [
            {
                name,
                image: images.node,
                ...lastWords,
                // Within the host's files: volumes that it mounts are those of all pods, whoever mounts them next.
                command: [
                    "/bin/sh",
                    "-c",
                    `exec nsenter -t 1 -m -u -- /bin/sh -c "$(cat ${programPath}/start)" kubelet`,
                ],
                resources: { requests: { cpu: "50m", memory: "64Mi" } },
                // It is root of its node, as any kubelet.
                securityContext: { privileged: true, runAsUser: 0 },
                // Once it has the lock it keeps it. One that does not get it in ten minutes opens it anew.
                startupProbe: {
                    exec: { command: holdsLock },
                    periodSeconds: 1,
                    failureThreshold: 600,
                },
                // When the machine shuts down, it ends those of its priority before itself.
                lifecycle: { preStop: { sleep: { seconds: 3 } } },
                volumeMounts: [{ name: "program", mountPath: programPath, readOnly: true }],
            },
        ],
        volumes: [{ name: "program", configMap: { name: config } }],
    };
}
