import type { Recovery } from "../../../agents/boot/bootstrap/plan";
import type { RestoreSource } from "../../../agents/etcd/keeper/restore/plan";
import { type Config, config, directory, file, merge } from "../../../ignition";
import { etcdStaticPod } from "../../manifests/etcd/member";
import { json } from "../../manifests/objects";
import type { Cluster } from "../../model";
import { paths } from "../../paths";
import { etcdRestorePath, etcdRestorePlan, etcdRestoreScript } from "../etcd-restore";
import { type BootstrapAssetsOptions, firstAccess, firstMember, firstStart, pivotAssets } from "./assets";

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
export const broughtSnapshot = `${etcdRestorePath}/snapshot.db`;

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
