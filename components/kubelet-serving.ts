import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../agents/bundle";
import type { InstancesPlan, Machines } from "../agents/serving-approver/plan";
import type { Cluster } from "./cluster/model";
import { servingApprover, servingMachines } from "./control-plane/serving-approver";
import { kubernetesObject, kubernetesObjects, rolloutTimeouts } from "./kubernetes-object";

export interface KubeletServingArgs {
    readonly cluster: Cluster;
    /** Addresses of each machine, by its node's name; or the ids of instances. */
    readonly machines: pulumi.Input<Readonly<Record<string, readonly pulumi.Input<string>[]>>>;
    /** Where instances' addresses are asked for. @default they are known */
    readonly instances?: InstancesPlan;
    readonly provider: Provider;
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** Lets kubelets have server certificates of the cluster, each for its own machine. */
export class KubeletServing extends pulumi.ComponentResource {
    constructor(name: string, args: KubeletServingArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:KubeletServing", name, {}, opts);
        const { cluster, machines, instances, provider, deletedWith } = args;
        const owner = { parent: this, provider, deletedWith, customTimeouts: rolloutTimeouts(cluster) };
        const data = pulumi.output(machines).apply((all) => servingMachines(all as Machines).data);
        const known = kubernetesObject(name, servingMachines({}), owner, { data });
        const agent = bundleAgent("serving-approver");
        kubernetesObjects(name, servingApprover(cluster, agent, instances), owner, [known]);
        this.registerOutputs({});
    }
}
