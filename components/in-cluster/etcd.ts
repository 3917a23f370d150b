import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../../bundling/agents";
import { requireSnapshotSecrets } from "../../cluster/etcd-snapshots";
import type { LastingCredentials } from "../../cluster/keys/credentials";
import { controllerLabel } from "../../cluster/labels";
import type { Manifest } from "../../cluster/manifest";
import { selfHostedEtcd } from "../../cluster/manifests/etcd/etcd";
import {
    etcdCertificateConfig,
    etcdCertificateFiles,
    etcdCertificateJob,
    etcdCertificatesProgram,
} from "../../cluster/manifests/etcd/etcd-certificates";
import {
    etcdJoinDeployment,
    etcdJoinPlan,
    etcdJoinProgram,
    etcdMemberFiles,
    etcdMemberSecret,
} from "../../cluster/manifests/etcd/etcd-join";
import { etcdKeeper, etcdSnapshotSecret } from "../../cluster/manifests/etcd/etcd-keeper";
import { admittedControllers } from "../../cluster/manifests/nodes/node-approver";
import type { Cluster } from "../../cluster/model";
import type { EtcdSnapshotSecrets } from "../../cluster/options";
import { invalid } from "../../cluster/validate";
import { kubernetesObject, kubernetesObjects, rolloutTimeouts } from "./kubernetes-object";

/** A controller and the resource that makes its machine. */
export interface ControllerMachine {
    readonly name: string;
    readonly address: pulumi.Input<string>;
    readonly resource: pulumi.Resource;
}

interface EtcdMembersArgs {
    readonly cluster: Cluster;
    /** All controllers, starting with the one that the control plane started on. */
    readonly controllers: readonly ControllerMachine[];
    readonly credentials: pulumi.Output<LastingCredentials>;
    readonly provider: Provider;
    /** The resource whose loss destroys the cluster and everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/**
 * Admits the other controllers one at a time: first to etcd, then as nodes that run the control plane.
 *
 * A replaced machine, including the first, is admitted to etcd again by the pod that stays on its node.
 */
export class EtcdMembers extends pulumi.ComponentResource {
    constructor(name: string, args: EtcdMembersArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:EtcdMembers", name, {}, opts);
        const { cluster, provider, deletedWith } = args;
        const owner = { parent: this, provider, deletedWith };
        const [first, ...further] = args.controllers;
        if (further.length === 0) {
            // No other member has its data, so it could not be admitted again.
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
        // etcd allows one learner at a time.
        let previous: pulumi.Resource = first!.resource;
        for (const controller of further) {
            previous = admit(controller, [previous]);
            nodes.push(previous);
        }
        // From now on they get their role back when they register again.
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
 * A node that runs the control plane's DaemonSets. A kubelet may not set this label on itself.
 *
 * The stack manages the whole node and deletes it before its machine.
 */
function controllerNode(name: string): Manifest {
    return { apiVersion: "v1", kind: "Node", metadata: { name, labels: { [controllerLabel]: "" } } };
}

interface EtcdCareArgs {
    readonly cluster: Cluster;
    readonly provider: Provider;
    /** Credentials of the store for snapshots. @default none */
    readonly snapshotSecrets?: pulumi.Input<EtcdSnapshotSecrets>;
    /** The resource whose loss destroys the cluster and everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** Maintains etcd once the cluster exists: snapshots, defragmentation, alarms. */
export class EtcdCare extends pulumi.ComponentResource {
    constructor(name: string, args: EtcdCareArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:EtcdCare", name, {}, opts);
        const { cluster, provider, snapshotSecrets, deletedWith } = args;
        const owner = { parent: this, provider, deletedWith, customTimeouts: rolloutTimeouts(cluster) };
        const { s3 } = cluster.etcdSnapshots;
        if (s3?.instanceRole && snapshotSecrets !== undefined) {
            throw invalid("etcdSnapshotSecrets", "omitted with etcdSnapshots.s3.instanceRole", "a value");
        }
        const hasKeys = s3 !== undefined && !s3.instanceRole;
        const secret = hasKeys ? [createCareSecret(name, cluster, snapshotSecrets, owner)] : [];
        for (const manifest of etcdKeeper(cluster, bundleAgent("etcd-keeper"))) {
            kubernetesObject(name, manifest, { ...owner, dependsOn: secret });
        }
        this.registerOutputs({});
    }
}

function createCareSecret(
    name: string,
    cluster: Cluster,
    given: EtcdCareArgs["snapshotSecrets"],
    opts: pulumi.CustomResourceOptions,
): pulumi.CustomResource {
    const data = pulumi.output(given).apply((secrets) => {
        requireSnapshotSecrets(cluster.etcdSnapshots, secrets);
        return etcdSnapshotSecret(cluster, secrets).data;
    });
    return kubernetesObject(name, etcdSnapshotSecret(cluster), opts, { data: pulumi.secret(data) });
}

interface EtcdCertificatesArgs {
    readonly cluster: Cluster;
    readonly credentials: pulumi.Output<LastingCredentials>;
    readonly provider: Provider;
    /** What must be healthy first. */
    readonly after: readonly pulumi.Resource[];
    /** The resource whose loss destroys the cluster and everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** Updates certificates and CAs of etcd members that differ from their initial ones, one member at a time. */
export class EtcdCertificates extends pulumi.ComponentResource {
    constructor(name: string, args: EtcdCertificatesArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:EtcdCertificates", name, {}, opts);
        const { cluster, credentials, provider, after, deletedWith } = args;
        const owner = { parent: this, provider, deletedWith };
        const program = etcdCertificatesProgram(bundleAgent("etcd-certificates"));
        let previous = [...after, kubernetesObject(name, program, owner)];
        for (const node of cluster.controllers.names) {
            const data = pulumi.unsecret(credentials.apply((secrets) => etcdCertificateFiles(cluster, node, secrets)));
            const config = kubernetesObject(name, etcdCertificateConfig(node, {}), owner, { data });
            const dependsOn = [config, ...previous];
            previous = [kubernetesObject(name, etcdCertificateJob(cluster, node, program), { ...owner, dependsOn })];
        }
        this.registerOutputs({});
    }
}

interface EtcdPodsArgs {
    readonly cluster: Cluster;
    readonly provider: Provider;
    /** What admits the members. */
    readonly after: pulumi.Resource;
    /** The resource whose loss destroys the cluster and everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** etcd members that run as pods, if enabled: docs/levels.md. */
export class EtcdPods extends pulumi.ComponentResource {
    constructor(name: string, args: EtcdPodsArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:EtcdPods", name, {}, opts);
        const { cluster, provider, after, deletedWith } = args;
        // Members are updated one at a time.
        const customTimeouts = rolloutTimeouts(cluster, cluster.controllers.names.length);
        const manifests = selfHostedEtcd(cluster, bundleAgent("etcd-pod"));
        kubernetesObjects(name, manifests, { parent: this, provider, deletedWith, customTimeouts }, [after]);
        this.registerOutputs({});
    }
}
