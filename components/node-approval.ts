import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../agents/bundle";
import type { MachineGroups } from "./cluster/machine-groups";
import type { Cluster } from "./cluster/model";
import { nodeApprover } from "./control-plane/node-approver";
import { kubernetesObjects, rolloutTimeouts } from "./kubernetes-object";

export interface NodeApprovalArgs {
    readonly cluster: Cluster;
    readonly groups: MachineGroups;
    readonly provider: Provider;
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** Lets machines that come at any time become nodes, and nobody else who has their token. */
export class NodeApproval extends pulumi.ComponentResource {
    constructor(name: string, args: NodeApprovalArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:NodeApproval", name, {}, opts);
        const { cluster, groups, provider, deletedWith } = args;
        const owner = { parent: this, provider, deletedWith, customTimeouts: rolloutTimeouts(cluster) };
        kubernetesObjects(name, nodeApprover(cluster, groups, bundleAgent("node-approver")), owner);
        this.registerOutputs({});
    }
}
