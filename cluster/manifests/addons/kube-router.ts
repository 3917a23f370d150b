import { commandLine, type Flags, withExtra } from "../../flags/check";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { serviceCidrs } from "../../network/network";
import { nodePorts, ports } from "../../network/ports";
import { type Container, confined, fieldEnv, lastWords } from "../pod";
import { account, serviceAccount } from "../rbac";
import { handover, leaveRouterScript } from "./handover";
import { nodeConfig, nodeDaemonSet } from "./kube-proxy";
import { kubeRouterPolicy } from "./kube-router-policy";
import {
    installCniConfig,
    routerEnv,
    routerFiles,
    routerFlags,
    routerMounts,
    routerVolumes,
} from "./kube-router-routing";
import { packetFilterScripts, toolsPath } from "./kube-router-scripts";

const name = "kube-router";

/**
 * NetworkPolicies: kube-router's firewall writes their rules on every node. `cleared` removes them. It is also the pod
 * network, if that is the cluster's CNI.
 */
export function kubeRouter(cluster: Cluster): Manifest[] {
    const { network } = cluster;
    const isRouter = network.cni === "kube-router";
    if (network.networkPolicies === "ignored" && !isRouter) return [];
    const isNextToFlannel = network.cni === "flannel";
    const files = {
        ...packetFilterScripts(network),
        ...(isRouter && routerFiles),
        ...(isNextToFlannel && { "leave-router": leaveRouterScript }),
    };
    const { configMap, volume } = nodeConfig(name, files);
    const runs = network.networkPolicies === "enforced" || isRouter;
    const { initContainers, containers } = runs ? running(cluster) : cleared(cluster);
    return [
        ...(runs ? serviceAccount(name, rules) : [account(name)]),
        ...(isRouter ? kubeRouterPolicy(cluster) : []),
        configMap,
        nodeDaemonSet(name, {
            serviceAccountName: name,
            ...(!runs && { automountServiceAccountToken: false }),
            initContainers: [...initContainers, ...(isRouter ? [installCniConfig(cluster.images.kubeRouter)] : [])],
            containers,
            volumes: [
                { ...volume, configMap: { ...volume.configMap, defaultMode: 0o555 } },
                ...(isRouter ? routerVolumes : isNextToFlannel ? handover.volumes : []),
            ],
        }),
    ];
}

const read = ["list", "watch"];

// Source: kube-router's informers, and that it gets its own Node. It starts all of them, whatever it runs.
const rules = [
    { apiGroups: [""], resources: ["nodes"], verbs: ["get", ...read] },
    { apiGroups: [""], resources: ["endpoints", "namespaces", "pods", "services"], verbs: read },
    { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: read },
    { apiGroups: ["networking.k8s.io"], resources: ["networkpolicies"], verbs: read },
];

interface Containers {
    readonly initContainers: Container[];
    readonly containers: Container[];
}

/** kube-router with its firewall, its router or both. */
function running(cluster: Cluster): Containers {
    const { network, apiName, extraArgs } = cluster;
    const own = commandLine(withExtra("kube-router", flags(cluster), extraArgs.kubeRouter));
    const isRouter = network.cni === "kube-router";
    const scripts = { enforced: ["block-link-local"], cleared: ["clear"], ignored: [] }[network.networkPolicies];
    const probe = { httpGet: { host: "127.0.0.1", port: ports.kubeRouter, path: "/healthz" }, timeoutSeconds: 5 };
    return {
        initContainers: [...(isRouter ? ["guard-bgp"] : []), ...scripts].map((script) => tool(cluster, script)),
        containers: [
            {
                ...container(cluster, name, [`/usr/local/bin/${name}`, ...own]),
                ...(network.cni === "flannel" && { lifecycle: leaveRouter }),
                env: [
                    path,
                    fieldEnv("NODE_NAME", "spec.nodeName"),
                    ...(network.cni === "flannel" ? [nodeIp] : []),
                    ...(isRouter ? routerEnv : []),
                    // Policies apply before Services work.
                    { name: "KUBERNETES_SERVICE_HOST", value: apiName },
                    { name: "KUBERNETES_SERVICE_PORT", value: String(ports.kubeApiserver) },
                ],
                resources: { requests: { cpu: "20m", memory: "48Mi" } },
                // It exits by itself if the API does not answer for a minute.
                livenessProbe: { ...probe, periodSeconds: 10, failureThreshold: 9 },
                readinessProbe: { ...probe, periodSeconds: 2 },
            },
        ],
    };
}

function flags({ network, extraArgs }: Pick<Cluster, "network" | "extraArgs">): Flags {
    const isRouter = String(network.cni === "kube-router");
    return {
        "run-firewall": String(network.networkPolicies === "enforced"),
        "run-router": isRouter,
        "run-service-proxy": "false",
        "enable-cni": isRouter,
        "disable-source-dest-check": "false",
        ...(network.cni === "kube-router" && routerFlags),
        "enable-ipv6": String(network.podCidr6 !== undefined),
        "service-cluster-ip-range": serviceCidrs(network),
        "service-node-port-range": extraArgs.kubeApiserver["service-node-port-range"] ?? nodePorts.join("-"),
        // Its health port would listen on every address, also with profiles of the process. The port of metrics serves the
        // same.
        "health-port": "0",
        "metrics-addr": "127.0.0.1",
        "metrics-port": String(ports.kubeRouter),
    };
}

/** Removes the rules, then only waits, so that the DaemonSet is ready once every node is clear. */
function cleared(cluster: Cluster): Containers {
    const wait = ["/bin/sh", "-c", "trap exit TERM; while :; do sleep 3600 & wait; done"];
    return {
        initContainers: [tool(cluster, "clear")],
        containers: [
            {
                name: "cleared",
                image: cluster.images.kubeRouter,
                ...lastWords,
                command: wait,
                resources: { requests: { cpu: "1m", memory: "4Mi" } },
                securityContext: confined,
            },
        ],
    };
}

const path = { name: "PATH", value: `${toolsPath}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin` };

const nodeIp = fieldEnv("NODE_IP", "status.hostIP");

/** Ready once what it left as a router is removed. */
const leaveRouter = { postStart: { exec: { command: [`${toolsPath}/leave-router`] } } };

function tool(cluster: Cluster, script: string): Container {
    return {
        ...container(cluster, script, [`${toolsPath}/${script}`]),
        env: [path, ...(script === "guard-bgp" ? [nodeIp] : [])],
    };
}

/** A container that changes the packet filter: netlink requires NET_ADMIN, and ipset's sockets NET_RAW. */
function container({ images, network }: Cluster, name: string, command: string[]): Container {
    const isMain = name === "kube-router";
    const isRouter = network.cni === "kube-router" && isMain;
    const more = isRouter ? routerMounts : network.cni === "flannel" && isMain ? handover.mounts : [];
    return {
        name,
        image: images.kubeRouter,
        ...lastWords,
        command,
        securityContext: {
            ...confined,
            runAsUser: 0,
            runAsGroup: 0,
            capabilities: {
                ...confined.capabilities,
                // A port below 1024 is BGP's.
                add: ["NET_ADMIN", "NET_RAW", ...(isRouter ? ["NET_BIND_SERVICE"] : [])],
            },
        },
        volumeMounts: [{ name: "config", mountPath: toolsPath, readOnly: true }, ...more],
    };
}
