import { kubeletPodApp } from "../../../agents/nodes/node-agent/layout";
import { type Manifest, priorities } from "../../manifest";
import type { Cluster } from "../../model";
import { holdsLock, startScript } from "../control-plane/kubelet-start";
import { daemonSet, immutableConfigMap } from "../objects";
import { everywhere, fromConfigMap, lastWords, type PodSpec } from "../pod";

const name = kubeletPodApp;
const programPath = "/opt/tradewind/kubelet-pod";

/** The kubelet of every node as a pod, which the host's kubelet starts and yields to: docs/levels.md. */
export function selfHostedKubelet(cluster: Cluster): Manifest[] {
    const config = immutableConfigMap(name, { start: startScript });
    // Two pods on a node would take turns taking the lock from the host's kubelet.
    return [config, daemonSet(name, podSpec(cluster, config.metadata.name))];
}

function podSpec({ images }: Cluster, config: string): PodSpec {
    const program = fromConfigMap("program", config, programPath);
    return {
        hostNetwork: true,
        hostPID: true,
        dnsPolicy: "Default",
        priorityClassName: priorities.node.name,
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        tolerations: everywhere,
        terminationGracePeriodSeconds: 10,
        containers: [
            {
                name,
                image: images.node,
                ...lastWords,
                // In the host's file system: volumes that it mounts belong to all pods, whichever kubelet is next.
                command: [
                    "/bin/sh",
                    "-c",
                    `exec nsenter -t 1 -m -u -- /bin/sh -c "$(cat ${programPath}/start)" kubelet`,
                ],
                resources: { requests: { cpu: "50m", memory: "64Mi" } },
                // It is root on its node, like any kubelet.
                securityContext: { privileged: true, runAsUser: 0 },
                // Once it holds the lock, it keeps it. If it does not get it within ten minutes, it opens it again.
                startupProbe: {
                    exec: { command: holdsLock },
                    periodSeconds: 1,
                    failureThreshold: 600,
                },
                // When the machine shuts down, it stops pods of its priority before itself.
                lifecycle: { preStop: { sleep: { seconds: 3 } } },
                volumeMounts: [program.mount],
            },
        ],
        volumes: [program.volume],
    };
}
