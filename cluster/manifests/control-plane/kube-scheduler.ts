import type { Cluster } from "../../model";
import { ports } from "../../network/ports";
import { rollbackFlags } from "../../upgrades/rollback";
import { credentialsPath, httpsProbe } from "../pod";
import { type ComponentPod, componentContainer, componentPod } from "./component-pod";

/** The leader-elected scheduler, each generation on its own loopback address. */
export function kubeSchedulerPod(cluster: Cluster, digest: string): ComponentPod {
    return componentPod(cluster, "kube-scheduler", digest, (address) => {
        const probe = (path: string, limits: object) => httpsProbe(address, ports.kubeScheduler, path, limits);
        const container = componentContainer(cluster, "kube-scheduler", {
            flags: flags(cluster, address),
            requests: { cpu: "50m", memory: "48Mi" },
            probes: {
                startupProbe: probe("/livez", { periodSeconds: 1, failureThreshold: 180 }),
                livenessProbe: probe("/livez", { periodSeconds: 10, failureThreshold: 8, timeoutSeconds: 15 }),
                readinessProbe: probe("/readyz", { periodSeconds: 5 }),
            },
        });
        return { containers: [container] };
    });
}

function flags(cluster: Cluster, address: string): Record<string, string> {
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
        ...rollbackFlags(cluster),
        "secure-port": String(ports.kubeScheduler),
    };
}
