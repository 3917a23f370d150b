import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../agents/bundle";
import type { NodeGroups } from "../agents/node-removal/plan";
import type { Cluster } from "./cluster/model";
import { nodeRemovalAccount, nodeRemovalConfig, nodeRemovalJob, nodeRemovalPlan } from "./control-plane/node-removal";
import { wantedNodes } from "./control-plane/wanted-nodes";
import { kubernetesObject } from "./kubernetes-object";

export interface NodeRemovalArgs {
    readonly cluster: Cluster;
    /** The controllers that stay or are yet to come. */
    readonly controllers: readonly { readonly name: string; readonly address: pulumi.Input<string> }[];
    /** Pools whose nodes the cloud names. @default - there are none */
    readonly nodeGroups?: NodeGroups;
    /**
     * What sends requests to the API's controllers: one that leaves has to be out of it first.
     * @default - their clients know their addresses, one that leaves until its machine goes
     */
    readonly loadBalancer?: pulumi.Resource;
    /** What says which nodes are admitted: one that leaves must not come back. */
    readonly admitted: pulumi.Resource;
    readonly provider: Provider;
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/**
 * Empties nodes that the stack no longer wants, and takes them out of the cluster and its etcd.
 *
 * Pulumi deletes last, when everything was created and updated: a Job that is made anew whenever the
 * list of nodes changes has ended before the first machine goes.
 */
export class NodeRemoval extends pulumi.ComponentResource {
    constructor(name: string, args: NodeRemovalArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:NodeRemoval", name, {}, opts);
        const { cluster, controllers, nodeGroups, loadBalancer, admitted, provider, deletedWith } = args;
        const owner = { parent: this, provider, deletedWith };
        const account = nodeRemovalAccount().map((manifest) => kubernetesObject(name, manifest, owner));
        const record = wantedNodes(cluster, nodeGroups).map((manifest) => kubernetesObject(name, manifest, owner));
        const agent = bundleAgent("node-removal");
        const machines = pulumi.output(controllers.map(({ name: node, address }) => ({ name: node, address })));
        const data = machines.apply((all) => nodeRemovalConfig(nodeRemovalPlan(cluster, all, nodeGroups), agent).data);
        const config = kubernetesObject(
            name,
            nodeRemovalConfig(nodeRemovalPlan(cluster, [], nodeGroups), agent),
            owner,
            { data },
        );
        kubernetesObject(name, nodeRemovalJob(cluster, nodeGroups), {
            ...owner,
            // Its name stays the same.
            deleteBeforeReplace: true,
            // A machine whose Node is missing would register it again if the record still had it.
            dependsOn: [...account, ...record, config, admitted, ...(loadBalancer ? [loadBalancer] : [])],
        });
        this.registerOutputs({});
    }
}
