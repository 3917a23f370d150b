import { bundleAgent } from "../../bundling/agents";
import { type Config, config, file, merge, unit } from "../../ignition";
import type { NodeDownloads } from "../downloads";
import type { JoiningCredentials, KeyPair } from "../keys/credentials";
import { placeholderToken } from "../manifests/nodes/bootstrap-tokens";
import type { Cluster, WorkerPool } from "../model";
import { paths } from "../paths";
import { bootstrapReceiver } from "./bootstrap/receiver";
import { controllerConfig } from "./controller";
import type { EtcdDisk } from "./etcd-disk";
import { workerConfig } from "./worker";

/** What the configs of a cloud's machines are made of: what they are told of the cluster, and nothing of themselves. */
export interface JoiningNodes {
    readonly cluster: Cluster;
    readonly downloads: NodeDownloads;
    /** IPv4 block in which each machine has just one address: clouds tell it when the machine is made. */
    readonly machineCidr: string;
}

/** The config of a controller, with a disk for etcd; the first one waits for what starts the cluster. */
export function joiningController(
    nodes: JoiningNodes,
    name: string,
    joining: JoiningCredentials,
    etcdDisk: EtcdDisk,
): Config {
    const { cluster } = nodes;
    const controller = controllerConfig(cluster, { ...options(nodes, joining, name), etcdDisk });
    // Snippets win over it.
    const own = merge(bootConsole(), controller);
    if (name !== cluster.controllers.names[0]) {
        return own;
    }
    const certificate = joining.receiver!;
    return merge(own, bootstrapReceiver(cluster, { certificate, agent: bundleAgent("bootstrap-receiver") }));
}

/** The config of a worker. @param name - @default what the cloud names it */
export function joiningWorker(
    nodes: JoiningNodes,
    pool: WorkerPool,
    joining: JoiningCredentials,
    name?: string,
): Config {
    const { cluster } = nodes;
    return merge(bootConsole(), workerConfig(cluster, pool, options(nodes, joining, name)));
}

function options({ machineCidr, downloads }: JoiningNodes, joining: JoiningCredentials, name?: string) {
    return {
        machine: { name, address: machineCidr },
        downloads,
        ca: joining.ca,
        bootstrapToken: joining.bootstrapToken,
    };
}

/** Credentials of the length of real ones, for what has to be known in preview. */
export function placeholderJoining(cluster: Cluster): JoiningCredentials {
    const pem = "x".repeat(1024);
    const ca = pem.repeat(cluster.keys.kubernetesCa.length);
    const receiver: KeyPair = { cert: pem, key: pem };
    return { ca, bootstrapToken: placeholderToken, receiver };
}

/** Of which a node is made, in their order. The bootstrap itself tells who may know; see `bootstrapReport`. */
const units = [
    "containerd",
    "node-routes",
    "cni-plugins",
    "await-name",
    "etcd-disk",
    "bootstrap-receiver",
    "kubelet",
].map((name) => `${name}.service`);

/** Seconds until a machine that is no node says so, and then at least and at most between two times. */
const patience = { first: 120, most: 1800 } as const;

/**
 * Has a machine that does not become a node say on its console what it waits for: where nobody can reach into it, that is all
 * that can be seen of it. Whoever may read a console may see no secret: it has lines of these units alone, without what
 * comes before an @ in an address, and after a question mark.
 */
export function bootConsole(): Config {
    return config({
        files: [file(`${paths.bin}/boot-console`, script, { mode: 0o755 })],
        units: [unit("boot-console.service", { enabled: true, contents: service })],
    });
}

/** The API gave it: a kubelet writes its kubeconfig before it has asked anybody. */
const signOfNode = paths.kubeletClient;

const script = `#!/bin/sh
# Says what this machine waits for, as long as it is no node, less and less often.
set -u
property() { systemctl show --property "$1" --value "$2"; }
wait=${patience.first}
while sleep "$wait"; do
    if [ -e ${signOfNode} ]; then exit 0; fi
    echo "tradewind: $(uname -n) is no node $(cut -d . -f 1 /proc/uptime) s after its boot"
    for unit in ${units.join(" ")}; do
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
# Consoles of some systems leave out what is less.
SyslogLevel=notice
ExecStart=${paths.bin}/boot-console

[Install]
WantedBy=multi-user.target
`;
