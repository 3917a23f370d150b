import type { Recovery } from "../../../agents/boot/bootstrap/plan";
import type { FetchPlan } from "../../../agents/etcd/keeper/restore/fetch";
import type { RestorePlan, RestoreSource, StoreSource } from "../../../agents/etcd/keeper/restore/plan";
import { type Config, config, directory, file, merge } from "../../../ignition";
import type { StoreSecrets } from "../../etcd-snapshots";
import { runtimeName } from "../../images";
import type { Machine } from "../../keys/credentials";
import { storePlan, storeSecretFiles } from "../../manifests/etcd/etcd-keeper";
import { etcdStaticPod, peerUrl } from "../../manifests/etcd/member";
import { json } from "../../manifests/objects";
import { nodeCas } from "../../manifests/pod";
import type { Cluster, EtcdS3 } from "../../model";
import { ports } from "../../network/ports";
import { paths } from "../../paths";
import { type BootstrapAssetsOptions, firstAccess, firstMember, firstStart, pivotAssets } from "./assets";

/** Directory of the restore agent (`etcd-keeper.js`) and its plan (`plan.json`). */
export const etcdRestorePath = "/opt/tradewind/etcd-restore";

export interface RecoveryAssetsOptions extends BootstrapAssetsOptions {
    readonly recovery: Recovery;
    /**
     * The machine's kubelet has no certificate yet. It must be the first controller, whose initial certificate is
     * included here.
     */
    readonly isNew: boolean;
    /** The static pod of the machine's etcd member is missing, but its data exist. */
    readonly lacksMember: boolean;
    /** Restores the member from a snapshot. @default - its data are intact */
    readonly restore?: EtcdRestore;
}

export interface EtcdRestore {
    readonly source: RestoreSource;
    /** Source text of etcd's keeper. */
    readonly agent: string;
}

/** Files that a controller needs to restore the control plane. They include CA keys and are deleted after the pivot. */
export function recoveryAssets(cluster: Cluster, options: RecoveryAssetsOptions): Config {
    const { machine, secrets, recovery, isNew, lacksMember, restore } = options;
    return merge(
        pivotAssets(cluster, options, { recovery, ...(restore && { before: restoreScript }) }),
        isNew ? firstAccess(cluster, machine, secrets) : config({}),
        lacksMember && !restore ? firstMember(cluster, machine, secrets) : config({}),
        restore ? restoreAssets(cluster, options, restore) : config({}),
    );
}

const restoreScript = `${etcdRestorePath}/restore`;

/** Path of the snapshot on the machine, if it comes from elsewhere. */
export const restoredSnapshot = `${etcdRestorePath}/snapshot.db`;

function restoreAssets(
    cluster: Cluster,
    { machine, secrets, recovery }: RecoveryAssetsOptions,
    { source, agent }: EtcdRestore,
): Config {
    const staticPod = etcdStaticPod(cluster, firstStart(machine));
    const plan = etcdRestorePlan({ id: recovery.id, source, machine, staticPod });
    const asset = (name: string, contents: string) => file(`${etcdRestorePath}/${name}`, contents, { mode: 0o600 });
    const isStaticPod = ({ path }: { path: string }) => path.startsWith(`${paths.staticPods}/`);
    const { storage, ...rest } = firstMember(cluster, machine, secrets);
    // The restore writes the static pod itself once the data are in place.
    const member = { ...rest, storage: { ...storage, files: storage?.files?.filter((each) => !isStaticPod(each)) } };
    return merge(
        member,
        config({
            directories: [directory(etcdRestorePath, { mode: 0o700 })],
            files: [
                asset("etcd-keeper.js", agent),
                asset("plan.json", json(plan)),
                asset("restore", etcdRestoreScript(cluster)),
            ],
        }),
    );
}

const state = "/var/lib/tradewind/etcd-restore";
const imageParent = "/run/tradewind/etcd-restore";
/** etcd's image, in the container. */
const image = `${imageParent}/image`;
const container = "tradewind-etcd-restore";
const etcdutl = `${image}/usr/local/bin/etcdutl`;

interface EtcdRestoreOptions {
    /** See `RestorePlan.id`. */
    readonly id: string;
    readonly source: RestoreSource;
    readonly machine: Machine;
    /** All members restored from the same snapshot, including this one. @default - only this one */
    readonly members?: readonly Machine[];
    /** The member's static pod afterwards. @default - the existing one */
    readonly staticPod?: object;
}

/** How a controller's etcd member is restored from a snapshot. */
export function etcdRestorePlan({
    id,
    source,
    machine,
    members = [machine],
    staticPod,
}: EtcdRestoreOptions): RestorePlan {
    return {
        id,
        source,
        member: {
            name: machine.name,
            peerUrl: peerUrl(machine),
            healthUrl: `http://127.0.0.1:${ports.etcdMetrics}`,
        },
        initialCluster: members.map((member) => `${member.name}=${peerUrl(member)}`).join(","),
        directories: { data: paths.etcdMemberData, staticPods: paths.staticPods, state },
        ...(staticPod && { staticPod }),
        etcdutl,
    };
}

/** Pattern of the command line of a controller's etcd member, for `pgrep -f`. */
export const memberCommand = `^([^ ]*/)?etcd .*--data-dir=${paths.etcdMemberData}( |$)`;

/** Seconds for the kubelet to stop a member: one that waits for a hanging API takes more than half a minute. */
export const kubeletPatience = 60;

/**
 * Shell script that runs the restore on a controller, in a container that needs neither the kubelet nor the API.
 *
 * It uses images that the kubelet has pulled and contacts a registry only for missing ones. `etcdRestorePath` must
 * contain the agent, the plan and any secrets that the plan refers to.
 */
export function etcdRestoreScript(cluster: Cluster): string {
    const { directory } = cluster.etcdSnapshots;
    return keeperScript(cluster, {
        verb: "restore",
        plan: "plan.json",
        writable: [paths.etcdData, paths.staticPods, state],
        readable: [etcdRestorePath, directory],
        created: [paths.etcdData, paths.staticPods, state, directory],
        meanwhile: `
# A kube-apiserver without etcd accepts requests and answers none. The kubelet waits for such an answer about the member's
# mirror pod, and meanwhile neither stops nor starts the member.
# A kubelet that has not reached the API since it started stops no removed pod, and starts no other pod of the same name
# until it is restarted.
waited=0
while kill -0 $$ 2>/dev/null && sleep 1; do
    desired=1
    [ -e ${paths.etcdStaticPod} ] || desired=0
    running=1
    pgrep -f '${memberCommand}' >/dev/null || running=0
    if [ $desired = 0 ]; then
        pkill -KILL -x kube-apiserver || true
    fi
    waited=$((waited + 1))
    if [ $desired = $running ]; then
        waited=0
    elif [ $waited -ge ${kubeletPatience} ]; then
        waited=0
        if [ $desired = 0 ]; then
            pkill -KILL -f '${memberCommand}' || true
        else
            systemctl restart kubelet || true
        fi
    fi
done &
trap 'kill $! 2>/dev/null || true' EXIT`,
    });
}

/** Files of a controller that fetch a snapshot from a store, by name in `etcdRestorePath`, and the command to run. */
export interface SnapshotFetch {
    readonly files: Readonly<Record<string, string>>;
    readonly command: string;
}

/** Fetches a snapshot from the cluster's store to {@link restoredSnapshot}, and removes the store's secrets again. */
export function snapshotFetch(
    cluster: Cluster,
    { s3, secrets, name, agent }: { s3: EtcdS3; secrets: StoreSecrets; name?: string; agent: string },
): SnapshotFetch {
    // Each snapshot says itself whether it is encrypted: one may be from before encryption was turned off.
    const store = storePlan({ ...s3, isEncrypted: true }, secretsPath);
    const source: StoreSource = { cluster: cluster.name, s3: store, ...(name && { name }) };
    const plan: FetchPlan = { source, target: restoredSnapshot, etcdutl };
    const secretFiles = Object.entries(storeSecretFiles(s3, secrets));
    return {
        files: {
            "etcd-keeper.js": agent,
            "fetch.json": json(plan),
            fetch: fetchScript(cluster),
            ...Object.fromEntries(secretFiles.map(([file, text]) => [`${secretsFolder}/${file}`, text])),
        },
        command: `sh ${etcdRestorePath}/fetch`,
    };
}

const secretsFolder = "store";
const secretsPath = `${etcdRestorePath}/${secretsFolder}`;

function fetchScript(cluster: Cluster): string {
    const { env, mount } = nodeCas;
    const folder = String(mount.mountPath);
    return keeperScript(cluster, {
        verb: "fetch",
        plan: "fetch.json",
        writable: [etcdRestorePath],
        // The machine's own way to find the store, and to trust it.
        readable: [folder, "/etc/resolv.conf", "/etc/hosts"],
        created: [folder],
        env: [`${env.name}=${env.value}`],
        meanwhile: `
trap 'rm -rf ${secretsPath}' EXIT`,
    });
}

interface KeeperRun {
    readonly verb: string;
    /** Name of its plan. */
    readonly plan: string;
    readonly writable: readonly string[];
    readonly readable: readonly string[];
    /** Directories that must exist. */
    readonly created: readonly string[];
    readonly env?: readonly string[];
    /** Shell lines before it runs. */
    readonly meanwhile: string;
}

function keeperScript({ images }: Cluster, run: KeeperRun): string {
    const { verb, plan, writable, readable, created, env = [], meanwhile } = run;
    const [node, etcd] = [images.node, images.etcd].map(runtimeName);
    const mount = (path: string, mode: string, source = path) =>
        `--mount type=bind,src=${source},dst=${path},options=rbind:${mode}`;
    const options = [
        ...env.map((each) => `--env ${each}`),
        ...writable.map((path) => mount(path, "rw")),
        ...readable.map((path) => mount(path, "ro")),
        mount(image, "ro", '"$mounted"'),
    ];
    return `set -eu
ctr() { /usr/bin/ctr --namespace k8s.io "$@"; }

# Leftovers of a killed run.
ctr tasks kill --signal SIGKILL ${container} 2>/dev/null || true
ctr containers delete ${container} 2>/dev/null || true
for left in ${image}.*; do
    [ ! -d "$left" ] || ctr images unmount --rm "$left" >/dev/null 2>&1 || true
    rmdir "$left" 2>/dev/null || true
done

for image in ${node} ${etcd}; do
    if [ -z "$(ctr images list --quiet "name==\\"$image\\"")" ]; then
        ctr images pull --hosts-dir /etc/containerd/certs.d "$image"
    fi
done
mkdir -p ${[...created, imageParent].join(" ")}
# containerd remembers a mount by its path, even after it was unmounted.
mounted=$(mktemp -d ${image}.XXXXXX)
ctr images mount ${etcd} "$mounted" >/dev/null
${meanwhile}
ctr run --rm --net-host \\
    ${options.join(" \\\n    ")} \\
    ${node} ${container} \\
    node ${etcdRestorePath}/etcd-keeper.js ${verb} ${etcdRestorePath}/${plan}
`;
}
