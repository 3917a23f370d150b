import { NodePatch } from "@pulumi/kubernetes/core/v1/nodePatch";
import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../agents/bundle";
import type { Credentials } from "./cluster/credentials";
import { fieldManager } from "./cluster/manifest";
import type { Cluster } from "./cluster/model";
import {
    etcdJoinJob,
    etcdJoinPlan,
    etcdJoinProgram,
    etcdMemberFiles,
    etcdMemberSecret,
} from "./control-plane/etcd-join";
import { controllerLabel } from "./control-plane/pod";
import { kubernetesObject } from "./kubernetes-object";

/** A controller and the resource that makes its machine. */
export interface ControllerMachine {
    readonly name: string;
    readonly address: pulumi.Input<string>;
    readonly resource: pulumi.Resource;
}

export interface EtcdMembersArgs {
    readonly cluster: Cluster;
    /** All of them, the one on which the control plane started first. */
    readonly controllers: readonly ControllerMachine[];
    readonly credentials: pulumi.Output<Credentials>;
    readonly provider: Provider;
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** Admits the further controllers, one after another: first to etcd, then as nodes that run the control plane. */
export class EtcdMembers extends pulumi.ComponentResource {
    constructor(name: string, args: EtcdMembersArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:EtcdMembers", name, {}, opts);
        const { cluster, provider, deletedWith } = args;
        const owner = { parent: this, provider, deletedWith };
        const program = etcdJoinProgram(bundleAgent("etcd-join"));
        const programObject = kubernetesObject(name, program, owner);
        const [first, ...further] = args.controllers;
        let previous = first!.resource;
        for (const controller of further) {
            const secret = createSecret(name, args, controller, owner);
            // A machine made anew has to be admitted anew.
            const again = { deleteBeforeReplace: true, replaceWith: [controller.resource] };
            const job = kubernetesObject(name, etcdJoinJob(cluster, controller.name, program), {
                ...owner,
                ...again,
                dependsOn: [programObject, secret, controller.resource, previous],
            });
            // etcd takes one learner at a time.
            previous = createRole(name, controller, { ...owner, ...again, dependsOn: job });
        }
        this.registerOutputs({});
    }
}

function createSecret(
    name: string,
    { cluster, controllers, credentials }: EtcdMembersArgs,
    controller: ControllerMachine,
    opts: pulumi.CustomResourceOptions,
): pulumi.CustomResource {
    const machines = pulumi.output(controllers.map(({ name: node, address }) => ({ name: node, address })));
    const data = pulumi.all([machines, credentials]).apply(([all, secrets]) => {
        const own = all.find((machine) => machine.name === controller.name)!;
        const others = all.filter((machine) => machine !== own);
        const files = etcdMemberFiles(etcdJoinPlan(cluster, own, others), secrets);
        return etcdMemberSecret(own.name, files).data;
    });
    return kubernetesObject(name, etcdMemberSecret(controller.name, {}), opts, { data: pulumi.secret(data) });
}

/** Makes a node one that the control plane's DaemonSets run on. A kubelet may not give itself this label. */
function createRole(name: string, { name: node }: ControllerMachine, opts: pulumi.CustomResourceOptions): NodePatch {
    return new NodePatch(
        `${name}/node/${node}`,
        {
            metadata: {
                name: node,
                labels: { [controllerLabel]: "" },
                annotations: { "pulumi.com/patchFieldManager": fieldManager },
            },
        },
        opts,
    );
}
