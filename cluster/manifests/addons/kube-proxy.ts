import { contentHash, type Manifest, priorities } from "../../manifest";
import type { Cluster, Network } from "../../model";
import { podCidrs } from "../../network/network";
import { clusterApiServer, ports } from "../../network/ports";
import { configMap, daemonSet, json } from "../objects";
import { everywhere, fieldEnv, lastWords, type PodSpec, seccompProfile, type Volume } from "../pod";
import { serviceAccountWithRole } from "../rbac";

/** kube-proxy: Services on every node. */
export function kubeProxy(cluster: Cluster): Manifest[] {
    const { configMap: settings, volume } = config(cluster);
    return [...serviceAccountWithRole("kube-proxy", "system:node-proxier"), settings, proxy(cluster, volume)];
}

function config(cluster: Cluster): NodeConfig {
    const { network } = cluster;
    const configuration = {
        apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
        kind: "KubeProxyConfiguration",
        bindAddress: "0.0.0.0",
        clientConnection: { kubeconfig: "/etc/kube-proxy/kubeconfig" },
        clusterCIDR: podCidrs(network),
        mode: network.kubeProxyMode,
        // Otherwise pods that no policy restricts could reach ports of the node's loopback addresses: kube-router accepts
        // their packets before kube-proxy would drop them.
        ...(isLocalhostClosed(network) && { iptables: { localhostNodePorts: false } }),
        ...(network.keepConntrackLimits && {
            conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: "0s", tcpCloseWaitTimeout: "0s" },
        }),
    };
    return nodeConfig("kube-proxy", {
        "config.json": json(configuration),
        // kube-proxy implements the API's service address, so it cannot use it.
        kubeconfig: json(kubeconfig(cluster)),
    });
}

function isLocalhostClosed({ kubeProxyMode, networkPolicies }: Network): boolean {
    return kubeProxyMode === "iptables" && networkPolicies === "enforced";
}

function kubeconfig(cluster: Cluster): object {
    const { name } = cluster;
    const account = "/var/run/secrets/kubernetes.io/serviceaccount";
    return {
        apiVersion: "v1",
        kind: "Config",
        clusters: [
            {
                name,
                cluster: {
                    server: clusterApiServer(cluster),
                    "certificate-authority": `${account}/ca.crt`,
                },
            },
        ],
        users: [{ name: "kube-proxy", user: { tokenFile: `${account}/token` } }],
        contexts: [{ name, context: { cluster: name, user: "kube-proxy" } }],
        "current-context": name,
    };
}

function proxy({ images }: Cluster, config: Volume): Manifest {
    return nodeDaemonSet("kube-proxy", {
        serviceAccountName: "kube-proxy",
        containers: [
            {
                name: "kube-proxy",
                image: images.kubeProxy,
                ...lastWords,
                command: ["kube-proxy", "--config=/etc/kube-proxy/config.json", "--hostname-override=$(NODE_NAME)"],
                env: [fieldEnv("NODE_NAME", "spec.nodeName")],
                resources: { requests: { cpu: "20m", memory: "32Mi" } },
                // It writes kernel settings in /proc/sys, for which no capability is sufficient.
                securityContext: { privileged: true },
                livenessProbe: {
                    httpGet: { host: "127.0.0.1", port: ports.kubeProxyHealthz, path: "/livez" },
                    periodSeconds: 10,
                },
                volumeMounts: [
                    { name: "config", mountPath: "/etc/kube-proxy", readOnly: true },
                    { name: "modules", mountPath: "/lib/modules", readOnly: true },
                    { name: "xtables-lock", mountPath: "/run/xtables.lock" },
                ],
            },
        ],
        volumes: [
            config,
            { name: "modules", hostPath: { path: "/lib/modules" } },
            { name: "xtables-lock", hostPath: { path: "/run/xtables.lock", type: "FileOrCreate" } },
        ],
    });
}

/** The configuration of a DaemonSet's pods, and the volume `config` that mounts it. */
export interface NodeConfig {
    readonly configMap: Manifest;
    readonly volume: Volume;
}

/**
 * A ConfigMap named by its content. So a change replaces the pods, and a new pod cannot start with outdated content,
 * which a kubelet may still have cached for a ConfigMap of the same name.
 */
export function nodeConfig(name: string, data: Record<string, string>): NodeConfig {
    const object = configMap(`${name}-${contentHash(data)}`, data);
    return { configMap: object, volume: { name: "config", configMap: { name: object.metadata.name } } };
}

/** A DaemonSet that every node needs before it can run anything else. */
export function nodeDaemonSet(name: string, spec: PodSpec): Manifest {
    const placement = {
        hostNetwork: true,
        dnsPolicy: "Default",
        priorityClassName: priorities.node.name,
        tolerations: everywhere,
        securityContext: { seccompProfile },
    };
    // One by one, up to ten nodes. A thousand would take hours, and `up` would not wait that long.
    return daemonSet(name, { ...placement, ...spec }, { rollingUpdate: { maxSurge: 0, maxUnavailable: "10%" } });
}
