import type * as pulumi from "@pulumi/pulumi";
import type { NodeGroups } from "../../agents/nodes/removal/plan";
import type { InstancesPlan } from "../../agents/nodes/serving-approver/plan";
import type { Architecture, NodeDownloads } from "../../cluster/downloads";
import type { ApproverCredentials, LastingCredentials } from "../../cluster/keys/credentials";
import { hasOtherEtcdCertificates } from "../../cluster/manifests/etcd/etcd-certificates";
import type { CleanedGroups } from "../../cluster/manifests/nodes/node-cleaner";
import { type Cluster, nodesByPool } from "../../cluster/model";
import type { EtcdSnapshotSecrets } from "../../cluster/options";
import type { MachineGroups } from "../../cluster/resolve";
import type { IssuedToken } from "../pki/pki";
import type { PoolDownloads } from "../upgrade/download-problems";
import { whenUpgradable } from "../upgrade/guard";
import { Addons, CloudAddons, type CloudAddonsArgs } from "./addons";
import { CleanUp, type MadeByCluster } from "./clean-up";
import { SecretsEncryption, SelfHosted } from "./control-plane";
import { type ControllerMachine, EtcdCare, EtcdCertificates, EtcdMembers, EtcdPods } from "./etcd";
import {
    KubeletPods,
    KubeletServing,
    NodeAgents,
    NodeApproval,
    NodeCleaning,
    NodeReboots,
    NodeRemoval,
    type PooledMachines,
} from "./nodes";

export interface InClusterArgs {
    readonly cluster: Cluster;
    readonly credentials: pulumi.Output<LastingCredentials>;
    readonly approver: pulumi.Output<ApproverCredentials>;
    /** By which machines join. */
    readonly tokens: readonly IssuedToken[];
    /** Administrator's kubeconfig. */
    readonly kubeconfig: pulumi.Output<string>;
    /** As of `Pki`. */
    readonly lacksIssuer: Promise<boolean>;
    /** All of them, the one on which the control plane started first. */
    readonly controllers: readonly ControllerMachine[];
    /** What sends requests to the API's controllers. @default - their clients know their addresses */
    readonly loadBalancer?: pulumi.Resource;
    /** What tells that the control plane pivoted: nothing is adopted before. */
    readonly pivot: pulumi.CustomResource;
    /** What the machines of a pool fetch; `controller` is one. */
    readonly downloads: (pool: string) => NodeDownloads;
    /**
     * What the machines of a pool are, for which its downloads are given.
     * @default - nobody gives them: they are of this computer's cache, which knows each file's checksum by its version
     */
    readonly architecture?: (pool: string) => Architecture;
    /** Addresses of each machine, or its instance's id, by its node's name. @default - no kubelet gets a certificate of a server */
    readonly machines?: Readonly<Record<string, readonly pulumi.Input<string>[]>>;
    /** Where instances' addresses are asked for. @default those of machines are known */
    readonly instances?: InstancesPlan;
    /** Worker pools whose machines come at any time. @default none */
    readonly groups?: MachineGroups;
    /** The same, as the agent that admits machines asks their cloud about them. @default none */
    readonly pooled?: PooledMachines;
    /** The same by their nodes' names, those that go included. @default - no cloud names nodes */
    readonly nodeGroups?: NodeGroups;
    /** Those of them whose nodes are deleted when their machines are gone. @default - somebody else does it, or nobody */
    readonly cleaned?: CleanedGroups;
    /** What the cluster runs of its cloud's own. @default none */
    readonly cloudAddons?: Pick<CloudAddonsArgs, "manifests" | "secrets">;
    /** Makes pools whose machines are replaced for another version: after all that has its version before them. @default none */
    readonly pools?: (upgraded: pulumi.Resource) => readonly pulumi.Resource[];
    /** What that makes in the cloud, to be deleted before the cluster. @default nothing */
    readonly made?: MadeByCluster;
    /** For `etcdSnapshots.s3`. @default none */
    readonly snapshotSecrets?: pulumi.Input<EtcdSnapshotSecrets>;
    /** The resource whose loss kills the cluster, and so everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** All that a stack owns within its cluster, the same on every cloud. */
export function createInCluster(name: string, args: InClusterArgs, component: pulumi.Resource): void {
    const { controllers, loadBalancer, kubeconfig, pivot, snapshotSecrets, ...others } = args;
    const { groups, nodeGroups, cleaned, cloudAddons, made, pools, ...own } = others;
    const { downloads, architecture, machines, instances, lacksIssuer, approver, pooled, ...inCluster } = own;
    const parent = { parent: component };
    const given = architecture ? poolDownloads(args.cluster, downloads, architecture) : [];
    const servedBy = [...controllers.map(({ resource }) => resource), ...(loadBalancer ? [loadBalancer] : [])];
    const upgradable = whenUpgradable(args.cluster, { kubeconfig, lacksIssuer, servedBy }, pivot, component, given);
    const access = { ...upgradable, pivot };
    const selfHosted = new SelfHosted(name, { ...inCluster, ...access }, parent);
    const { provider } = selfHosted;
    if (args.cluster.keys.encryption.length > 1) {
        new SecretsEncryption(name, { ...inCluster, provider, after: selfHosted }, parent);
    }
    const { pools: admitted } = new NodeApproval(name, { ...inCluster, approver, pooled, provider }, parent);
    if (cleaned) new NodeCleaning(name, { ...inCluster, cleaned, provider }, parent);
    const { osReboots: reboots } = args.cluster;
    if (reboots) new NodeReboots(name, { ...inCluster, reboots, provider }, parent);
    if (args.cluster.certificates.kubeletServing !== "own") {
        new KubeletServing(name, { ...inCluster, machines: machines ?? {}, instances, provider }, parent);
    }
    const addons = new Addons(name, { ...inCluster, provider, after: selfHosted }, parent);
    if (cloudAddons?.manifests.length) {
        new CloudAddons(name, { ...inCluster, ...cloudAddons, provider, after: selfHosted }, parent);
    }
    new EtcdCare(name, { ...inCluster, provider, snapshotSecrets }, parent);
    new NodeRemoval(name, { ...inCluster, controllers, nodeGroups, loadBalancer, admitted, provider }, parent);
    const members = new EtcdMembers(name, { ...inCluster, controllers, provider }, parent);
    if (args.cluster.selfHosted.etcd) new EtcdPods(name, { ...inCluster, provider, after: members }, parent);
    if (hasOtherEtcdCertificates(args.cluster)) {
        new EtcdCertificates(name, { ...inCluster, provider, after: [members, selfHosted] }, parent);
    }
    // Kubelets come last: none may be newer than the apiserver that it talks to.
    const upgraded = new NodeAgents(name, { ...inCluster, downloads, groups, provider, after: addons }, parent);
    if (args.cluster.selfHosted.kubelet) {
        new KubeletPods(name, { ...inCluster, groups, provider, after: upgraded }, parent);
    }
    const workers = pools?.(upgraded) ?? [];
    if (made) {
        const after = [...made.after, ...workers, pivot, ...controllers.map(({ resource }) => resource)];
        new CleanUp(name, { ...inCluster, made: { ...made, after }, kubeconfig, provider }, parent);
    }
}

function poolDownloads(
    cluster: Cluster,
    downloads: (pool: string) => NodeDownloads,
    architecture: (pool: string) => Architecture,
): PoolDownloads[] {
    return Object.keys(nodesByPool(cluster)).map((pool) => ({
        pool,
        architecture: architecture(pool),
        version: cluster.versions.kubernetes,
        downloads: downloads(pool),
    }));
}
