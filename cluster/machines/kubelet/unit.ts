import { kubeletErrorFile } from "../../../agents/nodes/node-agent/layout";
import { type Config, config, directory, file, link, merge, unit } from "../../../ignition";
import type { MachineDownloads } from "../../downloads";
import { commandLine } from "../../flags/check";
import type { BootingMachine } from "../../keys/credentials";
import { hasFirstCa } from "../../keys/kubernetes-ca";
import { kubeconfig } from "../../kubeconfig";
import { kubeletKubeconfig, kubeletSettings, shutdownPhases } from "../../kubelet-settings";
import type { Cluster } from "../../model";
import { launcher, paths } from "../../paths";
import { keepFiles, restoreFiles } from "../kept-files";
import { osReboot } from "../os-reboot";
import { podBridge } from "../pod-bridge";
import { resolvConf, resolvConfScript } from "../resolv-conf";
import { cloudIdentity, writeCloudIdentity } from "./cloud-identity";
import { credentialProvider, credentialProviderFlags } from "./credential-provider";
import { keepRegistered } from "./keep-registered";
import { nodeName } from "./node-name";
import { nodeAgentRestart } from "./restart";
import { kubeletWrapper, type SecondAddress } from "./wrapper";

interface KubeletOptions {
    readonly machine: BootingMachine;
    readonly downloads: MachineDownloads;
    /** URL of the API for this kubelet. */
    readonly apiServer: string;
    readonly ca: string;
    readonly bootstrapToken: string;
    readonly labels: Record<string, string>;
    readonly pool: string;
}

/** The kubelet: a host service that joins with TLS bootstrap and then rotates its own certificate. */
export function kubelet(cluster: Cluster, options: KubeletOptions): Config {
    const { machine, downloads, apiServer, ca, bootstrapToken, labels, pool } = options;
    const { ecrCredentialProvider: provider } = downloads;
    const providerFlags = provider ? credentialProviderFlags : {};
    const own = config({
        directories: [
            directory(paths.staticPods, { mode: 0o700 }),
            directory(paths.kubeletConfigDropIns),
            directory(paths.nodeAgentState),
        ],
        files: [file(paths.ca, ca, { mode: 0o644 }), joiningAccess(cluster, { apiServer, ca, bootstrapToken })],
        units: [
            unit("kubelet.service", {
                enabled: true,
                contents: service(cluster, machine, { labels, flags: providerFlags }),
            }),
            unit("kubelet-switch.path", { enabled: true, contents: nodeAgentRestart.path }),
            unit("kubelet-switch.service", { contents: nodeAgentRestart.service }),
        ],
    });
    return merge(
        kubeletWrapper(
            cluster.versions.kubernetes,
            downloads.kubelet,
            kubeletSettings(cluster, pool),
            kubeletKubeconfig(cluster),
            {
                ...secondAddress(machine),
                isNamed: machine.name !== undefined,
            },
        ),
        own,
        machine.name === undefined ? nodeName() : config({}),
        keepFiles(),
        hasFirstCa(cluster.keys) ? config({}) : otherAuthorities(ca),
        resolvConf(),
        shutdownDelay(),
        osReboot(),
        cloudIdentity(cluster),
        keepRegistered(cluster, { machine, pool }),
        podBridge(),
        ...(provider ? [credentialProvider(provider)] : []),
    );
}

/** Initial contents of the files that agents change on a CA rotation. */
function otherAuthorities(ca: string): Config {
    return config({
        directories: [directory(paths.kubeletPki, { mode: 0o700 })],
        files: [file(paths.kubeletAuthorities, ca, { mode: 0o644 })],
        links: [link(paths.changedBootstrapKubeconfig, paths.bootstrapKubeconfig)],
    });
}

/** Kubeconfig that the kubelet requests its certificate with. */
export function joiningAccess(
    cluster: Cluster,
    { apiServer, ca, bootstrapToken }: Pick<KubeletOptions, "apiServer" | "ca" | "bootstrapToken">,
) {
    const access = kubeconfig({
        cluster: cluster.name,
        server: apiServer,
        ca,
        user: "kubelet-bootstrap",
        credentials: { token: bootstrapToken },
    });
    return file(paths.bootstrapKubeconfig, access, { mode: 0o600 });
}

interface ServiceOptions {
    readonly labels: Record<string, string>;
    /** More flags. */
    readonly flags: Record<string, string>;
}

function service(cluster: Cluster, machine: BootingMachine, { labels, flags: more }: ServiceOptions): string {
    const flags = {
        "config-dir": paths.kubeletConfigDropIns,
        kubeconfig: paths.kubeconfig,
        "bootstrap-kubeconfig": paths.bootstrapKubeconfig,
        "cert-dir": paths.kubeletPki,
        ...(machine.name && { "hostname-override": machine.name }),
        "node-ip": nodeIps(machine),
        ...(cluster.cloudProvider && { "cloud-provider": "external" }),
        ...(Object.keys(labels).length > 0 && { "node-labels": labelsFlag(labels) }),
        ...more,
    };
    return `[Unit]
Description=Kubernetes kubelet
Documentation=https://kubernetes.io/docs/reference/command-line-tools-reference/kubelet/
# Not Requires: stopping and starting containerd would leave the kubelet stopped.
Wants=containerd.service network-online.target
After=containerd.service network-online.target node-routes.service cni-plugins.service
# The kubelet asks logind only once whether it may delay shutdowns.
After=dbus.service systemd-logind.service
# Belongs in this section only: keep restarting a kubelet that fails fast.
StartLimitIntervalSec=0

[Service]
${restoreFiles}${cluster.cloudProvider ? writeCloudIdentity : ""}${hideUnit}ExecStartPre=${launcher} ${resolvConfScript}
ExecStart=${launcher} ${paths.bin}/kubelet-wrapper \\
    ${commandLine(flags).join(" \\\n    ")}
${keepLastError}Restart=always
RestartSec=2
# The first download may be slow, and the unit counts as started from the beginning.
TimeoutStartSec=infinity
KillMode=process
CPUAccounting=yes
MemoryAccounting=yes

[Install]
WantedBy=multi-user.target
`;
}

// For the node-agent, which reports why it reverts to another kubelet, and cannot read the journal. klog's errors begin
// with E or F and the date.
const keepLastError = `ExecStopPost=-/bin/sh -c '[ "$$SERVICE_RESULT" = success ] || { journalctl --sync; journalctl --no-pager --quiet --unit kubelet.service --lines 200 --output cat | grep -E "^[EF][0-9][0-9][0-9][0-9] |^Error" | tail -n 1 | cut -c 1-600 >${paths.nodeAgentState}/${kubeletErrorFile}; }'\n`;

// For CIS benchmarks (4.1.1), although it has no secrets: Ignition makes units readable by all.
const hideUnit = "ExecStartPre=/bin/chmod 0600 /etc/systemd/system/kubelet.service\n";

function labelsFlag(labels: Record<string, string>): string {
    return Object.entries(labels)
        .map(([key, value]) => `${key}=${value}`)
        .join(",");
}

function secondAddress({ address6 }: BootingMachine): { second?: SecondAddress } {
    return address6 === undefined ? {} : { second: address6.includes("/") ? "found" : "fixed" };
}

function nodeIps({ address, address6 }: BootingMachine): string {
    return address6 ? `${address},${address6}` : address;
}

const folder = "/etc/systemd/logind.conf.d";

/** The file that a kubelet writes if logind does not allow it to delay a shutdown for the duration of its phases. */
const kubeletsOwn = "99-kubelet.conf";

/** The longest possible shutdown: phases get longer when a single controller gets company. */
const longest = shutdownPhases({ controllers: { names: ["first", "other"] } }, "controller").reduce(
    (sum, { shutdownGracePeriodSeconds }) => sum + shutdownGracePeriodSeconds,
    0,
);

/**
 * Allows the kubelet to delay a shutdown for the duration of all its phases.
 *
 * The kubelet can configure logind itself, but gives up until its next start if another drop-in that sorts later has a
 * lower value, such as that of unattended-upgrades on Ubuntu (30 seconds; kubernetes/kubernetes#107043), or if logind
 * takes more than three seconds to reload. So the kubelet's file exists before it starts, and is linked under the name
 * that sorts last: longer phases that the kubelet writes into it later apply too.
 */
export function shutdownDelay(): Config {
    return config({
        files: [file(`${folder}/${kubeletsOwn}`, `[Login]\nInhibitDelayMaxSec=${longest}\n`, { mode: 0o644 })],
        links: [link(`${folder}/zz-tradewind.conf`, kubeletsOwn)],
    });
}
