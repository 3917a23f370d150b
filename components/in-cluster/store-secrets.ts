import * as pulumi from "@pulumi/pulumi";
import { hasSnapshotSecrets, requireSnapshotSecrets, type StoreSecrets } from "../../cluster/etcd-snapshots";
import type { Cluster } from "../../cluster/model";
import type { EtcdSnapshotSecrets } from "../../cluster/options";
import { conflictsWith } from "../../cluster/validate";

/**
 * The secrets of the store for snapshots: the user's key encrypts, otherwise the stack's first one.
 *
 * @param keys - the stack's own encryption keys, by generation
 * @returns undefined if there is neither a store with secrets nor a key
 */
export function storeSecrets(
    { etcdSnapshots }: Pick<Cluster, "etcdSnapshots">,
    given?: pulumi.Input<EtcdSnapshotSecrets>,
    keys: pulumi.Input<Readonly<Record<number, string>>> = {},
): pulumi.Output<StoreSecrets> | undefined {
    const { s3, keys: generations } = etcdSnapshots;
    const isUsed = s3 !== undefined && hasSnapshotSecrets(s3);
    if (s3 !== undefined && !isUsed && given !== undefined) {
        throw conflictsWith("etcdSnapshotSecrets", "etcdSnapshots.s3.instanceRole, unless isEncrypted is true");
    }
    if (!isUsed && generations.length === 0) return undefined;
    return pulumi.secret(
        pulumi.all([given, keys]).apply(([secrets, own]) => {
            requireSnapshotSecrets(etcdSnapshots, secrets);
            const { encryptionKey, ...access } = secrets ?? {};
            const all = [encryptionKey, ...generations.map((each) => own[each])];
            return { ...access, encryptionKeys: all.filter((each) => each !== undefined) };
        }),
    );
}
