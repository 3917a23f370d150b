import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../agents/bundle";
import type { Cluster } from "./cluster/model";
import type { OsReboots } from "./cluster/os-reboots";
import { rebootApprover } from "./control-plane/reboot-approver";
import { kubernetesObjects, rolloutTimeouts } from "./kubernetes-object";

export interface NodeRebootsArgs {
    readonly cluster: Cluster;
    readonly reboots: OsReboots;
    readonly provider: Provider;
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** Lets nodes whose OS asks for it reboot, one after another: docs/upgrades.md. */
export class NodeReboots extends pulumi.ComponentResource {
    constructor(name: string, args: NodeRebootsArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:NodeReboots", name, {}, opts);
        const { cluster, reboots, provider, deletedWith } = args;
        const owner = { parent: this, provider, deletedWith, customTimeouts: rolloutTimeouts(cluster) };
        kubernetesObjects(name, rebootApprover(cluster, reboots, bundleAgent("reboot-approver")), owner);
        this.registerOutputs({});
    }
}
