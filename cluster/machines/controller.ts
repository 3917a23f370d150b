import { bootMarker, checkpointFiles, copyFileName } from "../../agents/checkpointer/plan";
import { type Config, config, directory, dropin, file, merge, parse, unit } from "../../ignition";
import type { MachineDownloads } from "../downloads";
import type { BootingMachine } from "../keys/credentials";
import { nodeLabels } from "../labels";
import { allHostDirectories, type HostDirectory } from "../manifests/control-plane/files";
import type { Cluster } from "../model";
import { clusterApiServer } from "../network/ports";
import type { RegistryCredentials } from "../options";
import { launcher, paths } from "../paths";
import { containerd } from "./container-runtime/containerd";
import { type EtcdDisk, etcdDisk } from "./etcd-disk";
import { kubelet } from "./kubelet/unit";
import { preflight } from "./preflight";
import { proxyForServices } from "./proxy";
import { stepAside } from "./step-aside";
import { system } from "./system";

/** A controller gets no more than a worker. Control-plane secrets reach it through the API. */
interface ControllerOptions {
    readonly machine: BootingMachine;
    readonly downloads: MachineDownloads;
    readonly ca: string;
    readonly bootstrapToken: string;
    readonly registryCredentials?: RegistryCredentials;
    /** Where etcd keeps its data. @default a directory on the machine's own disk */
    readonly etcdDisk?: EtcdDisk;
}

export function controllerConfig(cluster: Cluster, options: ControllerOptions): Config {
    const { machine, downloads } = options;
    const { labels, snippets } = cluster.controllers;
    return merge(
        system(cluster, machine, downloads.cniPlugins, true),
        preflight(cluster, { ...options, isController: true }),
        containerd(cluster, downloads, options.registryCredentials),
        kubelet(cluster, {
            ...options,
            // It has no apiserver of its own until its node has joined and its etcd member is admitted.
            apiServer: clusterApiServer(cluster),
            labels: nodeLabels("controller", { ...labels, ...balancing(cluster) }),
            pool: "controller",
        }),
        checkpoints(),
        hostDirectories(cluster),
        ...(cluster.controllers.candidates.length > 0 ? [stepAside(cluster, machine.name!)] : []),
        ...(options.etcdDisk ? [etcdDisk(options.etcdDisk)] : []),
        proxyForServices(cluster, downloads),
        ...snippets.map(parse),
    );
}

/**
 * Directories of control-plane components. Those in `/run`, which is empty after a boot, are created before the kubelet
 * starts: a KMS plugin that is a static pod needs its directory before there is a control plane. On existing machines
 * the checkpointer creates all of them.
 */
export function hostDirectories(cluster: Cluster): Config {
    const all = allHostDirectories(cluster);
    const isVolatile = ({ path }: HostDirectory) => /^(\/var)?\/run\//.test(path);
    // Not by `install`: Ubuntu 26.04's refuses a group's number that has no name (uutils/coreutils#14156).
    const commands = all
        .filter(isVolatile)
        .flatMap(({ path, group }) => [`mkdir -p ${path}`, `chown :${group} ${path}`, `chmod 0770 ${path}`])
        .map((command) => `ExecStartPre=/bin/${command}\n`);
    const lines = `[Service]\n${commands.join("")}`;
    return config({
        directories: all
            .filter((each) => !isVolatile(each))
            .map(({ path, group }) => directory(path, { mode: 0o770, group })),
        units:
            commands.length > 0
                ? [unit("checkpoints.service", { dropins: [dropin("host-directories.conf", lines)] })]
                : [],
    });
}

/** Excludes controllers without ordinary pods from the cloud's load balancers for Services. */
function balancing({ cloudProvider, controllers }: Cluster): Record<string, string> {
    const isLeftOut = cloudProvider !== undefined && !controllers.schedulable;
    return isLeftOut ? { "node.kubernetes.io/exclude-from-external-load-balancers": "" } : {};
}

const { metadata, manifest, sums } = checkpointFiles;

/** Shell: `is_whole DIRECTORY` compares a checkpoint with its SHA-256. */
export const checkpointCheck = `is_whole() (
    cd "$1" 2>/dev/null || exit
    sum=$(sed '/"sha256"/,$d' ${metadata} 2>/dev/null | sha256sum)
    # The list ends with the manifest, unless it was truncated.
    grep -qs "\${sum%% *}" ${metadata} && tail -n 1 ${sums} 2>/dev/null | grep -q '  ${manifest}$' &&
        sha256sum --check --strict --status ${sums} >/dev/null 2>&1
)
`;

const script = `#!/bin/sh
# Nothing runs right after boot, so copies that may run next to their pods need not wait for the checkpointer.
set -u
${checkpointCheck}for parent in ${paths.checkpoints}/*/*; do
    # The current checkpoint, or the newest intact one.
    for checkpoint in "$parent/current" $(ls -dt "$parent"/*/ 2>/dev/null); do
        is_whole "$checkpoint" || continue
        [ -e "$checkpoint/${bootMarker}" ] || break
        name=\${parent##*/}
        namespace=\${parent%/*}
        namespace=\${namespace##*/}
        copy=${copyFileName("$namespace/$name")}
        # By rename, so that the kubelet never reads a partial file.
        cp "$checkpoint/${manifest}" "${paths.kubernetes}/.$copy.half" &&
            mv "${paths.kubernetes}/.$copy.half" "${paths.staticPods}/$copy"
        break
    done
done
`;

const service = `[Unit]
Description=Start copies of the control plane that need no API
Documentation=https://kubernetes.io/docs/tasks/configure-pod-container/static-pod/
Before=kubelet.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=${launcher} ${paths.bin}/start-checkpoints

[Install]
WantedBy=multi-user.target
`;

/** Starts a controller's control plane with its kubelet, from the copies that the checkpointer keeps. */
export function checkpoints(): Config {
    return config({
        directories: [directory(paths.checkpoints, { mode: 0o700 })],
        files: [file(`${paths.bin}/start-checkpoints`, script, { mode: 0o755 })],
        units: [unit("checkpoints.service", { enabled: true, contents: service })],
    });
}
