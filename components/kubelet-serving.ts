import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../agents/bundle";
import type { Machines } from "../agents/serving-approver/plan";
import type { Cluster } from "./cluster/model";
import { servingApprover, servingMachines } from "./control-plane/serving-approver";
import { kubernetesObject, kubernetesObjects, rolloutTimeouts } from "./kubernetes-object";

export interface KubeletServingArgs {
    readonly cluster: Cluster;
    /** Addresses of each machine, by its node's name. */
    readonly machines: pulumi.Input<Readonly<Record<string, readonly pulumi.Input<string>[]>>>;
    readonly provider: Provider;
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** Lets kubelets have server certificates of the cluster, each for its own machine. */
export class KubeletServing extends pulumi.ComponentResource {
    constructor(name: string, args: KubeletServingArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:KubeletServing", name, {}, opts);
        const { cluster, machines, provider, deletedWith } = args;
        const owner = { parent: this, provider, deletedWith, customTimeouts: rolloutTimeouts(cluster) };
        const data = pulumi.output(machines).apply((all) => servingMachines(all as Machines).data);
        const known = kubernetesObject(name, servingMachines({}), owner, { data });
        kubernetesObjects(name, servingApprover(cluster, bundleAgent("serving-approver")), owner, [known]);
        this.registerOutputs({});
    }
}
