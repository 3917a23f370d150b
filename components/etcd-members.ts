import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../agents/bundle";
import type { LastingCredentials } from "./cluster/credentials";
import type { Manifest } from "./cluster/manifest";
import type { Cluster } from "./cluster/model";
import {
    etcdJoinDeployment,
    etcdJoinPlan,
    etcdJoinProgram,
    etcdMemberFiles,
    etcdMemberSecret,
} from "./control-plane/etcd-join";
import { admittedControllers } from "./control-plane/node-approver";
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
    readonly credentials: pulumi.Output<LastingCredentials>;
    readonly provider: Provider;
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/**
 * Admits the further controllers, one after another: first to etcd, then as nodes that run the control plane.
 *
 * A machine that is made anew is admitted to etcd again by the pod that stays on its node, the first one's too.
 */
export class EtcdMembers extends pulumi.ComponentResource {
    constructor(name: string, args: EtcdMembersArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:EtcdMembers", name, {}, opts);
        const { cluster, provider, deletedWith } = args;
        const owner = { parent: this, provider, deletedWith };
        const [first, ...further] = args.controllers;
        if (further.length === 0) {
            // Nobody else has its data: there is no way to admit it again.
            const node = kubernetesObject(name, controllerNode(first!.name), { ...owner, dependsOn: first!.resource });
            kubernetesObject(name, admittedControllers([first!.name]), { ...owner, dependsOn: node });
            this.registerOutputs({});
            return;
        }
        const program = etcdJoinProgram(bundleAgent("etcd-join"));
        const programObject = kubernetesObject(name, program, owner);
        const admit = (controller: ControllerMachine, previous: readonly pulumi.Resource[]) => {
            const secret = createSecret(name, args, controller, owner);
            const join = kubernetesObject(name, etcdJoinDeployment(cluster, controller.name, program), {
                ...owner,
                dependsOn: [programObject, secret, controller.resource, ...previous],
            });
            return kubernetesObject(name, controllerNode(controller.name), { ...owner, dependsOn: join });
        };
        const nodes: pulumi.Resource[] = [admit(first!, [])];
        // etcd takes one learner at a time.
        let previous: pulumi.Resource = first!.resource;
        for (const controller of further) {
            previous = admit(controller, [previous]);
            nodes.push(previous);
        }
        // From here on they get their role back when they register again.
        const names = args.controllers.map((controller) => controller.name);
        kubernetesObject(name, admittedControllers(names), { ...owner, dependsOn: nodes });
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

/**
 * A node that the control plane's DaemonSets run on. A kubelet may not give itself this label.
 *
 * The stack owns the node whole, and deletes it before its machine.
 */
function controllerNode(name: string): Manifest {
    return { apiVersion: "v1", kind: "Node", metadata: { name, labels: { [controllerLabel]: "" } } };
}
