import * as pulumi from "@pulumi/pulumi";
import { bundleAgent } from "../../bundling/agents";
import { hasSnapshotSecrets, requirePrivateStore, type StoreSecrets } from "../../cluster/etcd-snapshots";
import type { LastingCredentials } from "../../cluster/keys/credentials";
import { arbiterLabel, controllerLabel } from "../../cluster/labels";
import { type Manifest, owned } from "../../cluster/manifest";
import { selfHostedEtcd } from "../../cluster/manifests/etcd/etcd";
import {
    etcdCertificateConfig,
    etcdCertificateFiles,
    etcdCertificateJob,
    etcdCertificatesProgram,
} from "../../cluster/manifests/etcd/etcd-certificates";
import {
    etcdJoinDeployment,
    etcdJoinOfCandidate,
    etcdJoinPlan,
    etcdJoinProgram,
    etcdMemberFiles,
    etcdMemberSecret,
} from "../../cluster/manifests/etcd/etcd-join";
import { etcdKeeper, etcdSnapshotSecret } from "../../cluster/manifests/etcd/etcd-keeper";
import { admittedControllers } from "../../cluster/manifests/nodes/node-approver";
import { possibleMembers } from "../../cluster/model";
import { type InCluster, type InClusterAfter, inCluster, type Put, putInOrder, rollout } from "./kubernetes-object";

/** A controller and the resource that makes its machine. */
export interface ControllerMachine {
    readonly name: string;
    readonly address: pulumi.Input<string>;
    readonly resource: pulumi.Resource;
}

interface EtcdMembersArgs extends InCluster {
    /** All controllers, starting with the one that the control plane started on. */
    readonly controllers: readonly ControllerMachine[];
    /** Workers that may become controllers. @default none */
    readonly candidates?: readonly ControllerMachine[];
    /** Machine with a member of etcd, but no control plane. @default none */
    readonly arbiter?: ControllerMachine;
    /** Controllers that the cluster has demoted: if their Node is created again, it gets no role. @default none */
    readonly demoted?: pulumi.Input<readonly string[]>;
    readonly credentials: pulumi.Output<LastingCredentials>;
}

/**
 * Admits the other controllers one at a time: first to etcd, then as nodes that run the control plane.
 *
 * A replaced machine, including the first, is admitted to etcd again by the pod that stays on its node. With candidates,
 * node-promoter decides which nodes are controllers after that.
 */
export const EtcdMembers = inCluster("tradewind:index:EtcdMembers", (args: EtcdMembersArgs, put) => {
    const [first, ...further] = args.controllers;
    const isAlone = further.length === 0 && !args.candidates?.length;
    const nodes = isAlone ? [admitAlone(first!, put)] : admitInTurn(args, first!, further, put);
    // From now on they get their role back when they register again.
    put(admittedControllers(args.controllers.map(({ name }) => name)), { dependsOn: nodes });
});

/** No other member has its data, so it could not be admitted again. */
function admitAlone({ name, resource }: ControllerMachine, put: Put): pulumi.Resource {
    return put(nodeWith(controllerLabel, name), { dependsOn: resource });
}

function admitInTurn(
    args: EtcdMembersArgs,
    first: ControllerMachine,
    further: readonly ControllerMachine[],
    put: Put,
): pulumi.Resource[] {
    const program = etcdJoinProgram(bundleAgent("etcd-join"));
    const { cluster, candidates = [], arbiter, demoted = [] } = args;
    const programObject = put(program);
    const admit = (controller: ControllerMachine, previous: readonly pulumi.Resource[], role = controllerLabel) => {
        const secret = createSecret(args, controller, put);
        const join = put(etcdJoinDeployment(cluster, controller.name, program), {
            dependsOn: [programObject, secret, controller.resource, ...previous],
        });
        const node = nodeWith(role, controller.name);
        if (candidates.length === 0) return put(node, { dependsOn: join });
        // A controller that was demoted or replaced must not get its role back, even if its Node was deleted.
        const { labels, ...metadata } = owned(node).metadata;
        const { [controllerLabel]: _, ...others } = labels!;
        const own = pulumi.output(demoted).apply((names) => (names.includes(controller.name) ? others : labels));
        const opts = { dependsOn: join, ignoreChanges: ["metadata.labels"] };
        return put(node, opts, { metadata: { ...metadata, labels: own } });
    };
    const nodes: pulumi.Resource[] = [admit(first, [])];
    // etcd allows one learner at a time.
    let previous = first.resource;
    for (const controller of further) {
        previous = admit(controller, [previous]);
        nodes.push(previous);
    }
    if (arbiter) nodes.push(admit(arbiter, [previous], arbiterLabel));
    for (const candidate of candidates) {
        const secret = createSecret(args, candidate, put);
        put(etcdJoinOfCandidate(cluster, candidate.name, program), {
            ...rollout(cluster),
            dependsOn: [programObject, secret],
        });
    }
    return nodes;
}

function createSecret(
    { cluster, controllers, candidates = [], arbiter, credentials }: EtcdMembersArgs,
    controller: ControllerMachine,
    put: Put,
): pulumi.CustomResource {
    const possible = [...controllers, ...candidates, ...(arbiter ? [arbiter] : [])];
    const machines = pulumi.output(possible.map(({ name, address }) => ({ name, address })));
    const data = pulumi.all([machines, credentials]).apply(([all, secrets]) => {
        const own = all.find((machine) => machine.name === controller.name)!;
        const others = all.filter((machine) => machine !== own);
        const files = etcdMemberFiles(etcdJoinPlan(cluster, own, others), secrets);
        return etcdMemberSecret(own.name, files).data;
    });
    return put(etcdMemberSecret(controller.name, {}), {}, { data: pulumi.secret(data) });
}

/**
 * A node with a role: that of controllers runs the control plane's DaemonSets. A kubelet may not set it on itself.
 *
 * The stack manages the whole node and deletes it before its machine.
 */
function nodeWith(role: string, name: string): Manifest {
    return { apiVersion: "v1", kind: "Node", metadata: { name, labels: { [role]: "" } } };
}

interface EtcdCareArgs extends InCluster {
    /** Secrets of the store for snapshots. @default none */
    readonly snapshotSecrets?: pulumi.Input<StoreSecrets>;
}

/** Maintains etcd once the cluster exists: snapshots, defragmentation, alarms. */
export const EtcdCare = inCluster("tradewind:index:EtcdCare", ({ cluster, snapshotSecrets }: EtcdCareArgs, put) => {
    const { s3 } = cluster.etcdSnapshots;
    requirePrivateStore(cluster.etcdSnapshots);
    const before: pulumi.Resource[] = [];
    if (s3 !== undefined && hasSnapshotSecrets(s3)) {
        const data = pulumi.output(snapshotSecrets).apply((secrets) => etcdSnapshotSecret(cluster, secrets).data);
        before.push(put(etcdSnapshotSecret(cluster), rollout(cluster), { data: pulumi.secret(data) }));
    }
    putInOrder(put, etcdKeeper(cluster, bundleAgent("etcd-keeper")), rollout(cluster), before);
});

interface EtcdCertificatesArgs extends InCluster {
    readonly credentials: pulumi.Output<LastingCredentials>;
    /** What must be healthy first. */
    readonly after: readonly pulumi.Resource[];
}

/**
 * Updates certificates and CAs of etcd members that differ from their initial ones, one member at a time. With candidates
 * the members themselves take turns.
 */
export const EtcdCertificates = inCluster(
    "tradewind:index:EtcdCertificates",
    ({ cluster, credentials, after }: EtcdCertificatesArgs, put) => {
        const program = etcdCertificatesProgram(bundleAgent("etcd-certificates"));
        let previous = [...after, put(program)];
        for (const node of possibleMembers(cluster)) {
            const data = pulumi.unsecret(credentials.apply((secrets) => etcdCertificateFiles(cluster, node, secrets)));
            const config = put(etcdCertificateConfig(node, {}), {}, { data });
            previous = [put(etcdCertificateJob(cluster, node, program), { dependsOn: [config, ...previous] })];
        }
    },
);

/** etcd members that run as pods, if enabled: docs/levels.md. */
export const EtcdPods = inCluster("tradewind:index:EtcdPods", ({ cluster, after }: InClusterAfter, put) => {
    // Members are updated one at a time.
    const waves = cluster.controllers.names.length;
    putInOrder(put, selfHostedEtcd(cluster, bundleAgent("etcd-pod")), rollout(cluster, waves), after);
});
