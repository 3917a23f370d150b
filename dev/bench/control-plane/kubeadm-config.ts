import { fileIndex } from "../../../cache";
import type { Download, NodeDownloads } from "../../../cluster/downloads";
import type { Machine } from "../../../cluster/keys/credentials";
import { containerd } from "../../../cluster/machines/container-runtime/containerd";
import { kubeletWrapper } from "../../../cluster/machines/kubelet/wrapper";
import { fetchScript, system } from "../../../cluster/machines/system";
import type { Cluster } from "../../../cluster/model";
import { ports } from "../../../cluster/network/ports";
import { paths } from "../../../cluster/paths";
import { type Config, config, file, merge, unit } from "../../../ignition";
import { localDownloads } from "../../../stacks/downloads";
import type { KubernetesVersion } from "../../../versions";

export interface KubeadmOptions {
    readonly machine: Machine;
    readonly downloads: NodeDownloads;
    readonly kubeadm: Download;
    /** Bootstrap token: six and sixteen characters. @default - created by kubeadm */
    readonly token?: string;
    /** Address of the machine to join. @default - none: `kubeadm init` */
    readonly joins?: string;
}

/** Written after `kubeadm init` or `join` succeeded. */
export const KUBEADM_DONE = "/var/lib/tradewind/kubeadm-done";
export const ADMIN_KUBECONFIG = "/etc/kubernetes/admin.conf";
export const KUBEADM_UNIT = "kubeadm-init.service";

const INIT_CONFIG = "/etc/tradewind/kubeadm.yaml";

/** kubeadm writes the kubelet's configuration itself. */
const KUBEADM_SETTINGS = { id: "0", configuration: "", flags: ["--config=/var/lib/kubelet/config.yaml"] };

/**
 * The same machine as one of our controllers up to the kubelet (system, containerd, mirror, downloads), then `kubeadm init` as in
 * the Kubernetes documentation.
 */
export function kubeadmConfig(cluster: Cluster, options: KubeadmOptions): Config {
    const { machine, downloads } = options;
    const own = config({
        files: [
            file(`${paths.bin}/kubeadm-init`, initScript(cluster.versions.kubernetes, options), { mode: 0o755 }),
            file(INIT_CONFIG, configuration(cluster, options), { mode: 0o644 }),
        ],
        units: [
            unit("kubelet.service", { enabled: true, contents: KUBELET }),
            unit(KUBEADM_UNIT, { enabled: true, contents: INIT }),
        ],
    });
    return merge(
        system(cluster, machine, downloads.cniPlugins, true),
        containerd(cluster, downloads),
        kubeletWrapper(cluster.versions.kubernetes, downloads.kubelet, KUBEADM_SETTINGS, paths.kubeconfig),
        own,
    );
}

// From the packages' 10-kubeadm.conf, plus the drop-in directory for host quirks.
const KUBELET = `[Unit]
Description=Kubernetes kubelet
Wants=network-online.target
After=containerd.service network-online.target
ConditionPathExists=/var/lib/kubelet/config.yaml

[Service]
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
ExecStart=${paths.bin}/kubelet-wrapper --bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf \\
    --kubeconfig=/etc/kubernetes/kubelet.conf --config=/var/lib/kubelet/config.yaml \\
    --config-dir=${paths.kubeletConfigDropIns} $KUBELET_KUBEADM_ARGS
Restart=always
RestartSec=2
StartLimitIntervalSec=0
KillMode=process

[Install]
WantedBy=multi-user.target
`;

const INIT = `[Unit]
Description=kubeadm init
Wants=network-online.target
Requires=containerd.service
After=containerd.service network-online.target node-routes.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=${paths.bin}/kubeadm-init

[Install]
WantedBy=multi-user.target
`;

// The machines share the host's kernel, possibly with cgroup v1. The mirror has the pause image that containerd is configured
// with, and no other versions.
const ignored = ["SystemVerification", "Swap", "FileContent--proc-sys-net-bridge-bridge-nf-call-iptables", "ImagePull"];
export const IGNORED = `--ignore-preflight-errors=${ignored.join(",")}`;

function initScript(kubernetes: string, { downloads: { kubelet }, kubeadm, joins }: KubeadmOptions): string {
    const binary = `${paths.kubelets}/${kubernetes}/kubelet`;
    return `#!/bin/sh
set -eu
# Both at once: a machine of kubeadm's users has them installed.
${fetchScript} /usr/local/bin/kubeadm ${kubeadm.sha256} ${kubeadm.urls.join(" ")} &
${fetchScript} ${binary} ${kubelet.sha256} ${kubelet.urls.join(" ")}
wait $!
chmod 0755 /usr/local/bin/kubeadm ${binary}
ln -sf ${binary} /usr/local/bin/kubelet
kubeadm ${joins === undefined ? "init" : "join"} --config=${INIT_CONFIG} ${IGNORED}
touch ${KUBEADM_DONE}
`;
}

/** Defaults, except for what depends on the machine and the cache. */
function configuration(cluster: Cluster, { machine, token, joins }: KubeadmOptions): string {
    const documents =
        joins === undefined ? initConfiguration(cluster, machine, token) : [joinConfiguration(joins, token)];
    return documents
        .map((document) => JSON.stringify({ apiVersion: "kubeadm.k8s.io/v1beta4", ...document }))
        .join("\n---\n");
}

function initConfiguration(
    { versions, network, images }: Cluster,
    { name, address }: Machine,
    token?: string,
): object[] {
    return [
        {
            kind: "InitConfiguration",
            localAPIEndpoint: { advertiseAddress: address },
            nodeRegistration: { name },
            ...(token !== undefined && { bootstrapTokens: [{ token }] }),
        },
        {
            kind: "ClusterConfiguration",
            kubernetesVersion: `v${versions.kubernetes}`,
            networking: { podSubnet: network.podCidr.text, serviceSubnet: network.serviceCidr.text },
            // The mirror has only our version of each image.
            dns: { imageTag: images.coredns.replace(/^.*:/, "") },
            etcd: { local: { imageTag: `${versions.etcd}-0` } },
        },
    ];
}

function joinConfiguration(server: string, token?: string): object {
    const bootstrapToken = {
        apiServerEndpoint: `${server}:${ports.kubeApiserver}`,
        token,
        unsafeSkipCAVerification: true,
    };
    return { kind: "JoinConfiguration", discovery: { bootstrapToken } };
}

/** Downloads of a machine with kubeadm for a version. */
export function kubeadmDownloads(
    cluster: string,
    kubernetesVersion: KubernetesVersion,
): { downloads: NodeDownloads; kubeadm: Download } {
    const downloads = localDownloads(cluster, { kubernetesVersion });
    const path = `kubernetes/v${kubernetesVersion}/kubeadm`;
    const cached = fileIndex()[path];
    if (!cached) throw new Error(`the cache has no ${path}: run npm run artifacts -- fill`);
    const urls = downloads.kubelet.urls.slice(0, 1).map((url) => url.replace(/[^/]*$/, "kubeadm"));
    return { downloads, kubeadm: { urls, sha256: cached.sha256 } };
}
