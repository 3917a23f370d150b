import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../agents/bundle";
import type { Cluster } from "./cluster/model";
import { type CleanedGroups, nodeCleaner } from "./control-plane/node-cleaner";
import { kubernetesObjects, rolloutTimeouts } from "./kubernetes-object";

export interface NodeCleaningArgs {
    readonly cluster: Cluster;
    readonly cleaned: CleanedGroups;
    readonly provider: Provider;
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** Takes nodes away whose machines are gone, so that no rollout waits for them. */
export class NodeCleaning extends pulumi.ComponentResource {
    constructor(name: string, args: NodeCleaningArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:NodeCleaning", name, {}, opts);
        const { cluster, cleaned, provider, deletedWith } = args;
        const owner = { parent: this, provider, deletedWith, customTimeouts: rolloutTimeouts(cluster) };
        kubernetesObjects(name, nodeCleaner(cluster, cleaned, bundleAgent("node-cleaner")), owner);
        this.registerOutputs({});
    }
}
