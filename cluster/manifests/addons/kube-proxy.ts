import type { types } from "@pulumi/kubernetes";
import { contentHash, type Manifest, priorities } from "../../manifest";
import type { Cluster } from "../../model";
import { podCidrs } from "../../network/network";
import { ports } from "../../network/ports";
import { lastWords } from "../pod";
import { serviceAccountWithRole } from "../rbac";

/** kube-proxy: Services on every node. */
export function kubeProxy(cluster: Cluster): Manifest[] {
    const { configMap, volume } = config(cluster);
    return [...serviceAccountWithRole("kube-proxy", "system:node-proxier"), configMap, daemonSet(cluster, volume)];
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
        ...(network.keepConntrackLimits && {
            conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: "0s", tcpCloseWaitTimeout: "0s" },
        }),
    };
    return nodeConfig("kube-proxy", {
        "config.json": `${JSON.stringify(configuration, null, 2)}\n`,
        // kube-proxy implements the API's service address, so it cannot use it.
        kubeconfig: `${JSON.stringify(kubeconfig(cluster), null, 2)}\n`,
    });
}

function kubeconfig({ name, apiName }: Cluster): object {
    const account = "/var/run/secrets/kubernetes.io/serviceaccount";
    return {
        apiVersion: "v1",
        kind: "Config",
        clusters: [
            {
                name,
                cluster: {
                    server: `https://${apiName}:${ports.kubeApiserver}`,
                    "certificate-authority": `${account}/ca.crt`,
                },
            },
        ],
        users: [{ name: "kube-proxy", user: { tokenFile: `${account}/token` } }],
        contexts: [{ name, context: { cluster: name, user: "kube-proxy" } }],
        "current-context": name,
    };
}

function daemonSet({ images }: Cluster, config: Volume): Manifest {
    return nodeDaemonSet("kube-proxy", {
        serviceAccountName: "kube-proxy",
        containers: [
            {
                name: "kube-proxy",
                image: images.kubeProxy,
                ...lastWords,
                command: ["kube-proxy", "--config=/etc/kube-proxy/config.json", "--hostname-override=$(NODE_NAME)"],
                env: [{ name: "NODE_NAME", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }],
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

export type Volume = types.input.core.v1.Volume;

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
    const configMap = `${name}-${contentHash(data)}`;
    return {
        configMap: {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name: configMap, namespace: "kube-system" },
            data,
        },
        volume: { name: "config", configMap: { name: configMap } },
    };
}

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
