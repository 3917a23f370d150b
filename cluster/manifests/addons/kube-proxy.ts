import { closesLocalhost } from "../../flags/addons";
import { commandLine, type Flags, withExtra } from "../../flags/check";
import { contentHash, type Manifest, priorities } from "../../manifest";
import type { Cluster } from "../../model";
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
    // kube-proxy implements the API's service address, so it cannot use it.
    return nodeConfig("kube-proxy", { kubeconfig: json(kubeconfig(cluster)) });
}

/** Not a configuration file, because kube-proxy would ignore all flags but a few then. */
function flags({ network }: Pick<Cluster, "network">): Flags {
    return {
        "bind-address": "0.0.0.0",
        kubeconfig: "/etc/kube-proxy/kubeconfig",
        "hostname-override": "$(NODE_NAME)",
        "cluster-cidr": podCidrs(network),
        "proxy-mode": network.kubeProxyMode,
        // Otherwise pods that no policy restricts could reach ports of the node's loopback addresses: kube-router accepts
        // their packets before kube-proxy would drop them.
        ...(closesLocalhost(network) && { "iptables-localhost-nodeports": "false" }),
        ...(network.keepConntrackLimits && {
            "conntrack-max-per-core": "0",
            "conntrack-min": "0",
            "conntrack-tcp-timeout-established": "0s",
            "conntrack-tcp-timeout-close-wait": "0s",
        }),
    };
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

function proxy(cluster: Cluster, config: Volume): Manifest {
    const { images, extraArgs } = cluster;
    return nodeDaemonSet("kube-proxy", {
        serviceAccountName: "kube-proxy",
        containers: [
            {
                name: "kube-proxy",
                image: images.kubeProxy,
                ...lastWords,
                command: ["kube-proxy", ...commandLine(withExtra("kube-proxy", flags(cluster), extraArgs.kubeProxy))],
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
