import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import type { MachineGroups } from "./cluster/machine-groups";
import { type Cluster, nodesByPool } from "./cluster/model";
import { selfHostedKubelet } from "./control-plane/kubelet";
import { kubernetesObjects, rolloutTimeouts } from "./kubernetes-object";

export interface KubeletPodsArgs {
    readonly cluster: Cluster;
    /** Worker pools whose machines come at any time. @default none */
    readonly groups?: MachineGroups;
    readonly provider: Provider;
    /** What gives kubelets of hosts the lock. */
    readonly after: pulumi.Resource;
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** Kubelets that run as pods, where that is asked for: docs/levels.md. */
export class KubeletPods extends pulumi.ComponentResource {
    constructor(name: string, args: KubeletPodsArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:KubeletPods", name, {}, opts);
        const { cluster, groups, provider, after, deletedWith } = args;
        const nodes = Object.entries(nodesByPool(cluster)).map(([pool, { length }]) => groups?.max[pool] ?? length);
        // One node after another.
        const customTimeouts = rolloutTimeouts(
            cluster,
            nodes.reduce((sum, each) => sum + each, 0),
        );
        kubernetesObjects(name, selfHostedKubelet(cluster), { parent: this, provider, deletedWith, customTimeouts }, [
            after,
        ]);
        this.registerOutputs({});
    }
}
