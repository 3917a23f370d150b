import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../agents/bundle";
import type { Cluster } from "./cluster/model";
import { etcdKeeper } from "./control-plane/etcd-keeper";
import { kubernetesObject } from "./kubernetes-object";

export interface EtcdCareArgs {
    readonly cluster: Cluster;
    readonly provider: Provider;
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** What keeps etcd well once the cluster is there: snapshots, defragmentation, alarms. */
export class EtcdCare extends pulumi.ComponentResource {
    constructor(
        name: string,
        { cluster, provider, deletedWith }: EtcdCareArgs,
        opts?: pulumi.ComponentResourceOptions,
    ) {
        super("tradewind:index:EtcdCare", name, {}, opts);
        const owner = { parent: this, provider, deletedWith };
        for (const manifest of etcdKeeper(cluster, bundleAgent("etcd-keeper"))) {
            kubernetesObject(name, manifest, owner);
        }
        this.registerOutputs({});
    }
}
