import type { Cluster } from "../../model";
import { podCidrs, serviceCidrs } from "../../network/network";
import { ports } from "../../network/ports";
import { rollbackFlags } from "../../upgrades/rollback";
import { credentialsPath, httpsProbe } from "../pod";
import { type ComponentPod, componentContainer, componentPod } from "./component-pod";

/** The leader-elected controllers, each generation on its own loopback address. */
export function kubeControllerManagerPod(cluster: Cluster, digest: string): ComponentPod {
    return componentPod(cluster, "kube-controller-manager", digest, (address) => {
        const probe = (limits: object) => httpsProbe(address, ports.kubeControllerManager, "/healthz", limits);
        const container = componentContainer(cluster, "kube-controller-manager", {
            flags: flags(cluster, address),
            requests: { cpu: "50m", memory: "64Mi" },
            probes: {
                startupProbe: probe({ periodSeconds: 1, failureThreshold: 180 }),
                livenessProbe: probe({ periodSeconds: 10, failureThreshold: 8, timeoutSeconds: 15 }),
                readinessProbe: probe({ periodSeconds: 5 }),
            },
        });
        return { containers: [container] };
    });
}

function flags(cluster: Cluster, address: string): Record<string, string> {
    const { name, network } = cluster;
    const file = (base: string) => `${credentialsPath}/${base}`;
    return {
        "allocate-node-cidrs": "true",
        "authentication-kubeconfig": file("kubeconfig"),
        "authorization-kubeconfig": file("kubeconfig"),
        "bind-address": address,
        "client-ca-file": file("ca.crt"),
        "cluster-cidr": podCidrs(network),
        "cluster-name": name,
        "cluster-signing-cert-file": file("issuing-ca.crt"),
        "cluster-signing-key-file": file("ca.key"),
        // It has neither `bootstrapsigner`, which would serve `cluster-info`, which nothing reads and which lets anyone
        // test guessed tokens offline, nor `tokencleaner`: it deletes Secrets of expired tokens, which kube-apiserver
        // rejects anyway, and every preview with --refresh would then create them again.
        controllers: "*",
        // In a new cluster it creates a service account and a token for each of its controllers before the first one
        // starts. That takes a hundred requests; at the default of 20 per second, all pods would wait 4 s.
        "kube-api-burst": "200",
        "kube-api-qps": "200",
        kubeconfig: file("kubeconfig"),
        "leader-elect": "true",
        "permit-port-sharing": "true",
        profiling: "false",
        "requestheader-client-ca-file": file("front-proxy-ca.crt"),
        ...rollbackFlags(cluster),
        "root-ca-file": file("ca.crt"),
        "secure-port": String(ports.kubeControllerManager),
        "service-account-private-key-file": file("service-account.key"),
        "service-cluster-ip-range": serviceCidrs(network),
        "use-service-account-credentials": "true",
    };
}
