import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../agents/bundle";
import type { Cluster } from "./cluster/model";
import { selfHostedEtcd } from "./control-plane/etcd";
import { kubernetesObjects, rolloutTimeouts } from "./kubernetes-object";

export interface EtcdPodsArgs {
    readonly cluster: Cluster;
    readonly provider: Provider;
    /** What admits the members. */
    readonly after: pulumi.Resource;
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** etcd's members that run as pods, where that is asked for: docs/levels.md. */
export class EtcdPods extends pulumi.ComponentResource {
    constructor(name: string, args: EtcdPodsArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:EtcdPods", name, {}, opts);
        const { cluster, provider, after, deletedWith } = args;
        // One member after another.
        const customTimeouts = rolloutTimeouts(cluster, cluster.controllers.names.length);
        const manifests = selfHostedEtcd(cluster, bundleAgent("etcd-pod"));
        kubernetesObjects(name, manifests, { parent: this, provider, deletedWith, customTimeouts }, [after]);
        this.registerOutputs({});
    }
}
