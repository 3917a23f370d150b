import { X509Certificate } from "node:crypto";
import { preflightFile, preflightProgram as program } from "../../agents/boot/preflight";
import { kubeletSettingsDirectory } from "../../agents/nodes/node-agent/layout";
import { type Config, config, directory, file, unit } from "../../ignition";
import type { MachineDownloads } from "../downloads";
import { runtimeName } from "../images";
import type { BootingMachine } from "../keys/credentials";
import type { Cluster } from "../model";
import { ports } from "../network/ports";
import { launcher, paths } from "../paths";
import { preflightScript } from "./preflight-script";
import { proxyDirective } from "./proxy";

interface PreflightOptions {
    readonly machine: BootingMachine;
    readonly downloads: MachineDownloads;
    /** PEM of the CAs that the machine trusts. */
    readonly ca: string;
    /** Whether it is, or may become, a controller. */
    readonly isController: boolean;
}

/**
 * Checks a machine before it becomes a node, and keeps its kubelet from starting until no error is left. Checks are in
 * shell because they include whether the machine can run containers at all.
 */
export function preflight(cluster: Cluster, { machine, downloads, ca, isController }: PreflightOptions): Config {
    const { network, versions, images } = cluster;
    const { containerRuntime } = downloads;
    const script = preflightScript({
        result: preflightFile,
        client: paths.kubeletClient,
        name: machine.name,
        // kube-proxy's own minimum; otherwise Kubernetes'.
        kernel: network.kubeProxyMode === "nftables" ? [5, 13] : [4, 19],
        isFlannel: network.cni === "flannel",
        refusesCgroupV1: Number(versions.kubernetes.split(".")[1]) >= 35,
        memory: isController ? 900 : 400,
        settings: [paths.kubeletConfigDropIns, `${paths.kubelets}/${kubeletSettingsDirectory}`],
        space: [
            [paths.kubernetes, 10],
            ["/opt/tradewind", 300],
            [`${paths.cni}/bin`, 100],
            ["/var/log", 100],
            ["/var/lib/kubelet", 1024],
            ["/var/lib/containerd", 1024],
            ...(isController ? ([[paths.etcdData, 300]] as const) : []),
        ],
        ports: portsOf(cluster, isController),
        issued: issuedAt(ca),
        downloads: [
            [`${paths.kubelets}/${versions.kubernetes}/kubelet`, "the kubelet", downloads.kubelet.urls],
            [`${paths.cni}/bin/bridge`, "the CNI plugins", downloads.cniPlugins.urls],
            ...(containerRuntime
                ? ([["/usr/bin/containerd", "containerd", containerRuntime.containerd.urls]] as const)
                : []),
        ],
        registry: registryOf(runtimeName(images.node)),
        fetchesRuntime: containerRuntime !== undefined,
    });
    return config({
        // Of the file with errors to ignore.
        directories: [directory("/etc/tradewind")],
        files: [file(program, script, { mode: 0o755 })],
        units: [unit(serviceName, { enabled: true, contents: service(cluster) })],
    });
}

const serviceName = "preflight.service";

/** The config of a machine that checks nothing, if its user-data would be too long otherwise. */
export function withoutPreflight(config: Config): Config {
    const { storage, systemd } = config;
    return {
        ...config,
        storage: { ...storage, files: storage?.files?.filter(({ path }) => path !== program) },
        systemd: { ...systemd, units: systemd?.units?.filter(({ name }) => name !== serviceName) },
    };
}

/** Ports that must be free, each with what listens there: `6443/tcp kube-apiserver`. */
function portsOf({ network, cloudProvider, metrics }: Cluster, isController: boolean): string[] {
    const tcp: (keyof typeof ports)[] = [
        "kubelet",
        "kubeletHealthz",
        ...(network.kubeProxyMode === "none" ? [] : (["kubeProxyHealthz", "kubeProxyMetrics"] as const)),
        "nodeAgentHealthz",
        ...(metrics ? (["metricsProxy"] as const) : []),
        ...(network.networkPolicies === "enforced" || network.cni === "kube-router" ? (["kubeRouter"] as const) : []),
        ...(cloudProvider ? (["csiNode"] as const) : []),
        ...(isController ? controllerPorts : []),
        ...(isController && cloudProvider ? (["cloudControllerManager"] as const) : []),
    ];
    const udp: (keyof typeof ports)[] = network.cni === "flannel" ? ["flannelVxlan"] : [];
    const line = (protocol: string) => (name: keyof typeof ports) =>
        `${ports[name]}/${protocol} ${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return [...tcp.map(line("tcp")), ...udp.map(line("udp"))];
}

const controllerPorts = [
    "kubeApiserver",
    "apiserverGate",
    "haproxyReady",
    "etcdClient",
    "etcdPeer",
    "etcdMetrics",
    "checkpointerHealthz",
    "etcdKeeperMetrics",
    "kubeControllerManager",
    "kubeScheduler",
] as const;

/** When the CA was issued, if that is known: seconds since 1970. */
function issuedAt(ca: string): number | undefined {
    try {
        return Math.floor(Date.parse(new X509Certificate(ca).validFrom) / 1000);
    } catch {
        return undefined;
    }
}

function registryOf(image: string): string {
    const [host] = image.split("/");
    return host === "docker.io" || !/[.:]/.test(host!) ? "registry-1.docker.io" : host!;
}

function service(cluster: Cluster): string {
    return `[Unit]
Description=Check this machine before it becomes a node
Wants=network-online.target
After=network-online.target
Before=kubelet.service
StartLimitIntervalSec=0

[Service]
Type=oneshot
RemainAfterExit=yes
${proxyDirective(cluster)}StandardOutput=journal+console
SyslogLevel=notice
ExecStart=${launcher} ${program}
Restart=on-failure
RestartSec=3

[Install]
WantedBy=multi-user.target
RequiredBy=kubelet.service
`;
}
