import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { addons } from "./addons";
import type { Cluster } from "./cluster/model";
import { kubernetesObject, rolloutTimeouts } from "./kubernetes-object";

export interface AddonsArgs {
    readonly cluster: Cluster;
    readonly provider: Provider;
    /** What has to be whole before they change: the control plane. */
    readonly after: pulumi.Resource;
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** Pod network, service addresses and cluster DNS, adopted from the bootstrap and owned by the stack from then on. */
export class Addons extends pulumi.ComponentResource {
    constructor(name: string, args: AddonsArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:Addons", name, {}, opts);
        const { cluster, provider, after, deletedWith } = args;
        const owner = {
            parent: this,
            provider,
            deletedWith,
            dependsOn: after,
            customTimeouts: rolloutTimeouts(cluster),
        };
        for (const manifest of addons(cluster)) {
            kubernetesObject(name, manifest, owner);
        }
        this.registerOutputs({});
    }
}
