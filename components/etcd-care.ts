import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../agents/bundle";
import { requireSnapshotSecrets } from "./cluster/etcd-snapshots";
import type { Cluster } from "./cluster/model";
import type { EtcdSnapshotSecrets } from "./cluster/options";
import { invalid } from "./cluster/validate";
import { etcdKeeper, etcdSnapshotSecret } from "./control-plane/etcd-keeper";
import { kubernetesObject, rolloutTimeouts } from "./kubernetes-object";

export interface EtcdCareArgs {
    readonly cluster: Cluster;
    readonly provider: Provider;
    /** Of the store that snapshots go to. @default none */
    readonly snapshotSecrets?: pulumi.Input<EtcdSnapshotSecrets>;
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** What keeps etcd well once the cluster is there: snapshots, defragmentation, alarms. */
export class EtcdCare extends pulumi.ComponentResource {
    constructor(name: string, args: EtcdCareArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:EtcdCare", name, {}, opts);
        const { cluster, provider, snapshotSecrets, deletedWith } = args;
        const owner = { parent: this, provider, deletedWith, customTimeouts: rolloutTimeouts(cluster) };
        const { s3 } = cluster.etcdSnapshots;
        if (s3?.isByInstanceRole && snapshotSecrets !== undefined) {
            throw invalid("etcdSnapshotSecrets", "left out with etcdSnapshots.s3.isByInstanceRole", "some");
        }
        const hasKeys = s3 !== undefined && !s3.isByInstanceRole;
        const secret = hasKeys ? [createSecret(name, cluster, snapshotSecrets, owner)] : [];
        for (const manifest of etcdKeeper(cluster, bundleAgent("etcd-keeper"))) {
            kubernetesObject(name, manifest, { ...owner, dependsOn: secret });
        }
        this.registerOutputs({});
    }
}

function createSecret(
    name: string,
    cluster: Cluster,
    given: EtcdCareArgs["snapshotSecrets"],
    opts: pulumi.CustomResourceOptions,
): pulumi.CustomResource {
    const data = pulumi.output(given).apply((secrets) => {
        requireSnapshotSecrets(cluster.etcdSnapshots, secrets);
        return etcdSnapshotSecret(cluster, secrets).data;
    });
    return kubernetesObject(name, etcdSnapshotSecret(cluster), opts, { data: pulumi.secret(data) });
}
