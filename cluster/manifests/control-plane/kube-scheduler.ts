import { commandLine, withExtra } from "../../flags/check";
import type { Cluster } from "../../model";
import { ports } from "../../network/ports";
import {
    type ComponentPod,
    componentPod,
    confined,
    credentialsPath,
    type Generation,
    httpsProbe,
    lastWords,
    mounts,
} from "../pod";

/** The leader-elected scheduler, each generation on its own loopback address. */
export function kubeSchedulerPod(cluster: Cluster, generation: Generation): ComponentPod {
    return componentPod("kube-scheduler", generation, (address) => {
        const probe = (path: string, limits: object) => httpsProbe(address, ports.kubeScheduler, path, limits);
        const allFlags = withExtra("kube-scheduler", flags(address), cluster.extraArgs.kubeScheduler);
        return {
            containers: [
                {
                    name: "kube-scheduler",
                    image: cluster.images.kubeScheduler,
                    ...lastWords,
                    command: ["kube-scheduler", ...commandLine(allFlags)],
                    resources: { requests: { cpu: "50m", memory: "48Mi" } },
                    securityContext: confined,
                    startupProbe: probe("/livez", { periodSeconds: 1, failureThreshold: 180 }),
                    livenessProbe: probe("/livez", { periodSeconds: 10, failureThreshold: 8, timeoutSeconds: 15 }),
                    readinessProbe: probe("/readyz", { periodSeconds: 5 }),
                    volumeMounts: mounts,
                },
            ],
        };
    });
}

function flags(address: string): Record<string, string> {
    const file = (base: string) => `${credentialsPath}/${base}`;
    return {
        "authentication-kubeconfig": file("kubeconfig"),
        "authorization-kubeconfig": file("kubeconfig"),
        "bind-address": address,
        "client-ca-file": file("ca.crt"),
        kubeconfig: file("kubeconfig"),
        "leader-elect": "true",
        "permit-port-sharing": "true",
        profiling: "false",
        "requestheader-client-ca-file": file("front-proxy-ca.crt"),
        "secure-port": String(ports.kubeScheduler),
    };
}
