import { commandLine, type Flags, withExtra } from "../../flags/check";
import type { Manifest } from "../../manifest";
import type { Cluster, Network } from "../../model";
import { cniConfigs, cniFolder } from "../../network/cni";
import { ports } from "../../network/ports";
import { json } from "../objects";
import { fieldEnv, lastWords, type Volume } from "../pod";
import { serviceAccount } from "../rbac";
import { cniState, repairCniState } from "./cni-state";
import { prepareOverlay } from "./flannel-overlay";
import { flannelPolicy } from "./flannel-policy";
import { adoptPods, flannelRun, handover, leaveFlannelScript, leaveRouterScript } from "./handover";
import { type NodeConfig, nodeConfig, nodeDaemonSet } from "./kube-proxy";

/** Pod network: flannel over VXLAN. */
export function flannel(cluster: Cluster): Manifest[] {
    const { configMap, volume } = config(cluster);
    return [...serviceAccount("flannel", rules), ...flannelPolicy(cluster), configMap, daemonSet(cluster, volume)];
}

// Source: flannel's documentation of the Kubernetes subnet manager.
const rules = [
    { apiGroups: [""], resources: ["pods"], verbs: ["get"] },
    { apiGroups: [""], resources: ["nodes"], verbs: ["get", "list", "watch"] },
    { apiGroups: [""], resources: ["nodes/status"], verbs: ["patch"] },
];

function config({ network }: Cluster): NodeConfig {
    const cni = {
        name: "cbr0",
        cniVersion: "0.3.1",
        plugins: [
            { type: "flannel", delegate: { hairpinMode: true, isDefaultGateway: true } },
            { type: "portmap", capabilities: { portMappings: true } },
        ],
    };
    const net = {
        Network: network.podCidr.text,
        ...(network.podCidr6 && { EnableIPv6: true, IPv6Network: network.podCidr6.text }),
        EnableNFTables: network.kubeProxyMode === "nftables",
        Backend: { Type: "vxlan" },
    };
    return nodeConfig("flannel", {
        "cni-conf.json": json(cni),
        "net-conf.json": json(net),
        "leave-router": leaveRouterScript,
        "leave-flannel": leaveFlannelScript,
    });
}

const copy = `cp -f /etc/kube-flannel/cni-conf.json ${cniConfigs.flannel}`;

const run = (script: string, ...args: string[]) => ({
    exec: { command: ["sh", `/etc/kube-flannel/${script}`, ...args] },
});

function daemonSet(cluster: Cluster, config: Volume): Manifest {
    const { images, apiName, network, extraArgs } = cluster;
    return nodeDaemonSet("flannel", {
        serviceAccountName: "flannel",
        // It waits for kube-router when that replaces it.
        terminationGracePeriodSeconds: 120,
        initContainers: [
            prepareOverlay(cluster),
            {
                name: "install-cni-plugin",
                image: images.flannelCniPlugin,
                ...lastWords,
                command: ["cp", "-f", "/flannel", "/opt/cni/bin/flannel"],
                volumeMounts: [{ name: "cni-plugins", mountPath: "/opt/cni/bin" }],
            },
            {
                name: "install-cni-config",
                image: images.flannel,
                ...lastWords,
                // Readable by root only, as the CIS benchmark requires. The image of local clusters has no `install`.
                command: ["sh", "-c", `umask 077 && ${adoptPods} && ${copy} && ${repairCniState}`],
                volumeMounts: [
                    cniState.mount,
                    { name: "cni", mountPath: "/etc/cni/net.d" },
                    { name: "config", mountPath: "/etc/kube-flannel" },
                ],
            },
        ],
        containers: [
            {
                name: "flannel",
                image: images.flannel,
                ...lastWords,
                command: flanneld(network, commandLine(withExtra("flannel", flags, extraArgs.flannel))),
                env: [
                    fieldEnv("POD_NAME", "metadata.name"),
                    fieldEnv("POD_NAMESPACE", "metadata.namespace"),
                    fieldEnv("NODE_IP", "status.hostIP"),
                    ...(network.podCidr6 ? [fieldEnv("NODE_IPS", "status.hostIPs")] : []),
                    // The pod network must start before Services work.
                    { name: "KUBERNETES_SERVICE_HOST", value: apiName },
                    { name: "KUBERNETES_SERVICE_PORT", value: String(ports.kubeApiserver) },
                ],
                resources: { requests: { cpu: "50m", memory: "32Mi" } },
                securityContext: { capabilities: { add: ["NET_ADMIN", "NET_RAW"] } },
                lifecycle: { postStart: run("leave-router", "wait"), preStop: run("leave-flannel") },
                volumeMounts: [
                    { name: "cni", mountPath: cniFolder },
                    { name: "run", mountPath: flannelRun },
                    { name: "config", mountPath: "/etc/kube-flannel", readOnly: true },
                    { name: "xtables-lock", mountPath: "/run/xtables.lock" },
                ],
            },
        ],
        volumes: [
            ...handover.volumes,
            { name: "cni-plugins", hostPath: { path: "/opt/cni/bin", type: "DirectoryOrCreate" } },
            cniState.volume,
            config,
            { name: "xtables-lock", hostPath: { path: "/run/xtables.lock", type: "FileOrCreate" } },
        ],
    });
}

const flags: Flags = {
    "ip-masq": "true",
    "kube-subnet-mgr": "true",
    // By default it checks every 5 s, with a process for each rule, whether its rules were removed.
    "iptables-resync": "30",
    // The default is the interface of the default route, which on some clouds is the public one.
    iface: "$(NODE_IP)",
};

/** Given an interface by IPv4 address, it only uses IPv4, so the node's IPv6 address is passed separately. */
function flanneld({ podCidr6 }: Network, flags: readonly string[]): string[] {
    const program = "/opt/bin/flanneld";
    return podCidr6
        ? ["/bin/sh", "-c", `exec ${program} "$@" --public-ipv6="\${NODE_IPS#*,}"`, "flanneld", ...flags]
        : [program, ...flags];
}
