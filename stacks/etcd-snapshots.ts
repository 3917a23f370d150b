import * as pulumi from "@pulumi/pulumi";
import { requireSnapshotSecrets } from "../components/cluster/etcd-snapshots";
import type { EtcdSnapshotOptions, EtcdSnapshotSecrets } from "../index";
import type { LocalConfig } from "./config";

/** The options of snapshots, and apart from them what is secret: the configuration has both in one place. */
export function etcdSnapshots({ etcdSnapshots: options }: Pick<LocalConfig, "etcdSnapshots">): {
    etcdSnapshots?: EtcdSnapshotOptions;
    etcdSnapshotSecrets?: pulumi.Input<EtcdSnapshotSecrets>;
} {
    if (options?.s3 === undefined) {
        return { etcdSnapshots: options as EtcdSnapshotOptions | undefined };
    }
    const { accessKeyId = "", secretAccessKey = "", encryptionKey, ...s3 } = options.s3;
    const isEncrypted = encryptionKey !== undefined;
    const { isByInstanceRole = false } = s3;
    // Here, where they are plain, so that a preview tells what is wrong with them.
    const secrets = { accessKeyId, secretAccessKey, encryptionKey };
    requireSnapshotSecrets({ s3: { isEncrypted, isByInstanceRole } }, secrets);
    return {
        etcdSnapshots: { ...options, s3: { ...s3, isEncrypted } },
        ...(!isByInstanceRole && {
            etcdSnapshotSecrets: pulumi.secret(secrets),
        }),
    };
}
