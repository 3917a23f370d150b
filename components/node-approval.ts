import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../agents/bundle";
import type { MachineGroups } from "./cluster/machine-groups";
import type { Cluster } from "./cluster/model";
import { nodeApprover } from "./control-plane/node-approver";
import { kubernetesObject, rolloutTimeouts } from "./kubernetes-object";

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
        const before: pulumi.Resource[] = [];
        for (const manifest of nodeApprover(cluster, groups, bundleAgent("node-approver"))) {
            const dependsOn = manifest.kind === "Deployment" ? [...before] : [];
            before.push(kubernetesObject(name, manifest, { ...owner, dependsOn }));
        }
        this.registerOutputs({});
    }
}
