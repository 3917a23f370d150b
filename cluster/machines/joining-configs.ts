import { bundleAgent } from "../../bundling/agents";
import { type Config, config, file, merge, unit } from "../../ignition";
import type { MachineDownloads } from "../downloads";
import type { JoiningCredentials, KeyPair } from "../keys/credentials";
import { placeholderToken } from "../manifests/nodes/bootstrap-tokens";
import type { Cluster, WorkerPool } from "../model";
import { launcher, paths } from "../paths";
import { bootstrapReceiver } from "./bootstrap/receiver";
import { controllerConfig } from "./controller";
import type { EtcdDisk } from "./etcd-disk";
import { credentialProviderUnit } from "./kubelet/credential-provider";
import { workerConfig } from "./worker";

/** Inputs of the configs of machines on a cloud: facts about the cluster, not about a single machine. */
export interface JoiningNodes {
    readonly cluster: Cluster;
    readonly downloads: MachineDownloads;
    /** IPv4 block in which each machine has exactly one address. Clouds assign it when the machine is created. */
    readonly machineCidr: string;
}

/** Config of a controller with an etcd disk. The first controller waits for the bootstrap assets. */
export function joiningController(
    nodes: JoiningNodes,
    name: string,
    joining: JoiningCredentials,
    etcdDisk: EtcdDisk,
): Config {
    const { cluster } = nodes;
    const controller = controllerConfig(cluster, { ...options(nodes, joining, name), etcdDisk });
    // Snippets override it.
    const own = merge(bootConsole(unitsOf(nodes)), controller);
    if (name !== cluster.controllers.names[0]) return own;
    const certificate = joining.receiver!;
    return merge(own, bootstrapReceiver(cluster, { certificate, agent: bundleAgent("bootstrap-receiver") }));
}

/** Config of a worker. @param name - @default assigned by the cloud */
export function joiningWorker(
    nodes: JoiningNodes,
    pool: WorkerPool,
    joining: JoiningCredentials,
    name?: string,
): Config {
    const { cluster } = nodes;
    return merge(bootConsole(unitsOf(nodes)), workerConfig(cluster, pool, options(nodes, joining, name)));
}

/**
 * The IPv6 addresses that clouds assign: global unicast. The block of a VPC is only known once it exists. Pods and
 * Services have unique local addresses there.
 */
const machineCidr6 = "2000::/3";

function options({ cluster, machineCidr, downloads }: JoiningNodes, joining: JoiningCredentials, name?: string) {
    return {
        machine: { name, address: machineCidr, ...(cluster.network.podCidr6 && { address6: machineCidr6 }) },
        downloads,
        ca: joining.ca,
        bootstrapToken: joining.bootstrapToken,
        ...(joining.registryCredentials && { registryCredentials: joining.registryCredentials }),
    };
}

/** Credentials as long as real ones, for values that must be known at preview. */
export function placeholderJoining(cluster: Cluster): JoiningCredentials {
    const pem = "x".repeat(1024);
    const ca = pem.repeat(cluster.keys.kubernetesCa.length);
    const receiver: KeyPair = { cert: pem, key: pem };
    return { ca, bootstrapToken: placeholderToken, receiver };
}

/** Units that turn a machine into a node, in order. The bootstrap reports for itself; see `bootstrapReport`. */
const units = [
    "preflight",
    "containerd",
    "node-routes",
    "cni-plugins",
    "await-name",
    "etcd-disk",
    "bootstrap-receiver",
    "kubelet",
].map((name) => `${name}.service`);

function unitsOf({ downloads }: JoiningNodes): readonly string[] {
    const own = downloads.ecrCredentialProvider ? [credentialProviderUnit] : [];
    return [...units.slice(0, -1), ...own, ...units.slice(-1)];
}

/** Seconds until a machine that has not joined reports it, and the longest interval between reports. */
const patience = { first: 120, most: 1800 } as const;

/**
 * Reports on the console what a machine that has not joined is waiting for. Where nothing can log in, the console is
 * the only source. It prints no secrets: only log lines of these units, without the part of a URL before an @ and after
 * a question mark.
 */
export function bootConsole(shown: readonly string[] = units): Config {
    return config({
        files: [file(`${paths.bin}/boot-console`, script(shown), { mode: 0o755 })],
        units: [unit("boot-console.service", { enabled: true, contents: service })],
    });
}

/** Only the API can provide it; a kubelet writes its kubeconfig before it contacts the API. */
const signOfNode = paths.kubeletClient;

const script = (shown: readonly string[]) => `#!/bin/sh
# Logs what this machine waits for until it is a node, at growing intervals.
set -u
property() { systemctl show --property "$1" --value "$2"; }
wait=${patience.first}
while sleep "$wait"; do
    if [ -e ${signOfNode} ]; then exit 0; fi
    echo "tradewind: $(uname -n) is not a node yet, $(cut -d . -f 1 /proc/uptime) s after boot"
    for unit in ${shown.join(" ")}; do
        [ "$(property LoadState "$unit")" = loaded ] || continue
        state="$(property ActiveState "$unit") $(property SubState "$unit")"
        [ "$state" != "active exited" ] || continue
        echo "tradewind: $unit: $state"
        journalctl --no-pager --quiet --lines 4 --output cat --unit "$unit" |
            sed -e 's#://[^/@ ]*@#://#g' -e 's#?[^ "]*#?#g' -e 's/^/tradewind:   /'
    done
    wait=$((wait * 2))
    if [ "$wait" -gt ${patience.most} ]; then wait=${patience.most}; fi
done
`;

const service = `[Unit]
Description=Say on the console what keeps this machine from being a node
ConditionPathExists=!${signOfNode}

[Service]
StandardOutput=journal+console
# Some consoles omit lower levels.
SyslogLevel=notice
ExecStart=${launcher} ${paths.bin}/boot-console

[Install]
WantedBy=multi-user.target
`;
