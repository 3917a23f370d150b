import { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import type { NodeGroups } from "../../agents/nodes/removal/plan";
import type { InstancesPlan } from "../../agents/nodes/serving-approver/plan";
import type { Architecture, NodeDownloads } from "../../cluster/downloads";
import type { StoreSecrets } from "../../cluster/etcd-snapshots";
import type {
    ApproverCredentials,
    LastingCredentials,
    MetricsCredentials,
    MetricsServerCredentials,
} from "../../cluster/keys/credentials";
import { hasOtherEtcdCertificates } from "../../cluster/manifests/etcd/etcd-certificates";
import type { CleanedGroups } from "../../cluster/manifests/nodes/node-cleaner";
import { type Cluster, nodesByPool } from "../../cluster/model";
import type { LogHeaders } from "../../cluster/options";
import type { MachineGroups } from "../../cluster/resolve";
import { UpgradeOrder } from "../../cluster/upgrades/order";
import type { IssuedToken } from "../pki/issued";
import type { LaunchesOf, PoolWatch } from "../pool-watch/watch";
import type { PoolDownloads } from "../upgrade/download-problems";
import { whenUpgradable } from "../upgrade/guard";
import { Addons, CloudAddons, type CloudManifests } from "./addons";
import { Candidates, demotedControllers } from "./candidates";
import { CleanUp, type CreatedByCluster } from "./clean-up";
import { ControlPlaneGuard, SecretsEncryption, SelfHosted } from "./control-plane";
import { type ControllerMachine, EtcdCare, EtcdCertificates, EtcdMembers, EtcdPods } from "./etcd";
import { type CreatedObject, putInto } from "./kubernetes-object";
import { LogCollector } from "./logs";
import { Metrics, MetricsServer, Prometheus } from "./metrics";
import {
    KubeletPods,
    KubeletServing,
    NodeAgents,
    NodeApproval,
    NodeCleaning,
    NodeReboots,
    NodeRemoval,
    NodeRepair,
    type PooledMachines,
    type RepairAccess,
} from "./nodes";
import { StackRecord } from "./stack-record";
import { putJobsAfter } from "./upgrade-jobs";

export interface InClusterArgs {
    readonly cluster: Cluster;
    readonly credentials: pulumi.Output<LastingCredentials>;
    readonly approver: pulumi.Output<ApproverCredentials>;
    /** @default - metrics are not served */
    readonly metrics?: pulumi.Output<MetricsCredentials>;
    /** @default - there is no metrics-server */
    readonly metricsServer?: pulumi.Output<MetricsServerCredentials>;
    /** HTTP headers for the server that `logs` are sent to. @default none */
    readonly logHeaders?: pulumi.Input<LogHeaders>;
    /** Tokens that machines join with. */
    readonly tokens: readonly IssuedToken[];
    /** Administrator's kubeconfig. */
    readonly kubeconfig: pulumi.Output<string>;
    /** See `Pki`. */
    readonly lacksIssuer: Promise<boolean>;
    /** Whether the API is known to be lost together with its controllers. @default false */
    readonly isApiLost?: boolean;
    /** All controllers, starting with the one that the control plane started on. */
    readonly controllers: readonly ControllerMachine[];
    /** Workers that may become controllers. @default none */
    readonly candidates?: readonly ControllerMachine[];
    /** Machine with a member of etcd, but no control plane. @default none */
    readonly arbiter?: ControllerMachine;
    /** What routes requests to the API's controllers. @default - clients connect to their addresses */
    readonly loadBalancer?: pulumi.Resource;
    /** Indicates that the control plane has pivoted: nothing is adopted before that. */
    readonly pivot: pulumi.CustomResource;
    /** Whether this `up` has started the cluster, once `pivot` exists. @default an earlier one has */
    readonly isNew?: () => boolean;
    /** Downloads of a pool's machines; `controller` is a pool too. */
    readonly downloads: (pool: string) => NodeDownloads;
    /**
     * Architecture of a pool's machines, which its downloads are for.
     * @default - downloads come from the local cache, which knows the checksum of each version
     */
    readonly architecture?: (pool: string) => Architecture;
    /** Addresses of each machine, or its instance id, by node name. @default - no kubelet gets a serving certificate */
    readonly machines?: Readonly<Record<string, readonly pulumi.Input<string>[]>>;
    /** Where instance addresses are looked up. @default addresses of machines are known */
    readonly instances?: InstancesPlan;
    /** Worker pools whose machines are created at any time. @default none */
    readonly groups?: MachineGroups;
    /** The same pools, as the agent that admits machines looks them up in their cloud. @default none */
    readonly pooled?: PooledMachines;
    /** The same pools by their node names, including pools being removed. @default - no nodes are named by a cloud */
    readonly nodeGroups?: NodeGroups;
    /** Groups whose nodes are deleted after their machines. @default - handled elsewhere, or not at all */
    readonly cleaned?: CleanedGroups;
    /** What repairs machines, if `repair` is set. @default - only a person can */
    readonly repairAccess?: RepairAccess;
    /** The cloud's controllers in the cluster. @default none */
    readonly cloudAddons?: CloudManifests;
    /**
     * Creates pools whose machines are replaced for another version, once everything before them has it.
     * @default none
     */
    readonly pools?: (upgraded: pulumi.Resource) => readonly pulumi.Resource[];
    /** Reports pools whose machines do not join. @default nothing does */
    readonly watch?: PoolWatch;
    /** How a pool's machines are looked up in their cloud. @default the stack creates them itself */
    readonly launchesOf?: LaunchesOf;
    /** Cloud resources that the cluster creates, to be deleted before it. @default none */
    readonly createdByCluster?: CreatedByCluster;
    /** Secrets of the store for snapshots. @default none */
    readonly snapshotSecrets?: pulumi.Input<StoreSecrets>;
    /** The resource whose loss destroys the cluster and everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** Creates a provider for resources of the user's own, which come after everything in the cluster. */
export type CreateProvider = (clusterIdentifier: string) => Provider;

/** Everything that a stack manages inside its cluster, the same on every cloud. */
export function createInCluster(name: string, args: InClusterArgs, component: pulumi.Resource): CreateProvider {
    const {
        controllers,
        candidates = [],
        arbiter,
        loadBalancer,
        kubeconfig,
        pivot,
        isNew,
        snapshotSecrets,
        ...others
    } = args;
    const {
        groups,
        nodeGroups,
        cleaned,
        cloudAddons,
        metricsServer,
        logHeaders,
        createdByCluster,
        repairAccess,
        pools,
        watch,
        launchesOf,
        ...own
    } = others;
    const {
        downloads,
        architecture,
        machines,
        instances,
        lacksIssuer,
        isApiLost,
        approver,
        metrics,
        pooled,
        ...shared
    } = own;
    const created: CreatedObject[] = [];
    const inCluster = { ...shared, created };
    const parent = { parent: component };
    const given = architecture ? poolDownloads(args.cluster, downloads, architecture) : [];
    const servedBy = [...controllers.map(({ resource }) => resource), ...(loadBalancer ? [loadBalancer] : [])];
    const upgradable = whenUpgradable(
        args.cluster,
        { kubeconfig, lacksIssuer, servedBy, nodeGroups, isApiLost, isNew },
        pivot,
        component,
        given,
    );
    const access = { ...upgradable, pivot };
    const order = new UpgradeOrder<pulumi.Resource>(upgradable.goesBack, upgradable.isNew);
    const selfHosted = new SelfHosted(name, { ...inCluster, ...access, order }, parent);
    const { provider } = selfHosted;
    const pivoted = [selfHosted];
    const jobs = { ...inCluster, ...parent, provider };
    const put = putInto(name, jobs);
    if (args.cluster.keys.encryption.length > 1) {
        new SecretsEncryption(name, { ...inCluster, provider, after: pivoted }, parent);
    }
    if (args.cluster.upgradeGuard) new ControlPlaneGuard(name, { ...inCluster, provider }, parent);
    const { created: admitted } = new NodeApproval(
        name,
        { ...inCluster, approver, record: selfHosted.record, pooled, provider },
        parent,
    );
    if (cleaned) new NodeCleaning(name, { ...inCluster, cleaned, provider }, parent);
    const { osReboots: reboots, repair } = args.cluster;
    if (reboots) new NodeReboots(name, { ...inCluster, reboots, provider }, parent);
    if (repair) new NodeRepair(name, { ...inCluster, repair, access: repairAccess, provider }, parent);
    if (args.cluster.certificates.kubeletServing !== "own") {
        new KubeletServing(name, { ...inCluster, machines: machines ?? {}, instances, provider }, parent);
    }
    const beforeAddons = order.before("addons");
    const addons = new Addons(name, { ...inCluster, provider, after: beforeAddons }, parent);
    order.add("addons", addons, ...putJobsAfter("addons", jobs, put, [addons]));
    if (cloudAddons?.manifests.length) {
        const own = { ...inCluster, ...cloudAddons, provider, after: beforeAddons };
        order.addBack("addons", new CloudAddons(name, own, parent));
    }
    if (metrics) new Metrics(name, { ...inCluster, metrics, provider }, parent);
    if (metricsServer) new MetricsServer(name, { ...inCluster, metricsServer, provider, after: pivoted }, parent);
    if (args.cluster.logs) new LogCollector(name, { ...inCluster, logHeaders, provider, after: pivoted }, parent);
    if (args.cluster.prometheus) new Prometheus(name, { ...inCluster, provider, after: pivoted }, parent);
    new EtcdCare(name, { ...inCluster, provider, snapshotSecrets }, parent);
    const demoted = candidates.length > 0 ? provider.ask(demotedControllers).catch(() => []) : [];
    const members = new EtcdMembers(
        name,
        { ...inCluster, controllers, candidates, arbiter, demoted, provider },
        parent,
    );
    const possible = [...controllers, ...candidates];
    const promotion =
        candidates.length > 0
            ? new Candidates(name, { ...inCluster, machines: possible, provider, after: [members] }, parent)
            : undefined;
    new NodeRemoval(
        name,
        {
            ...inCluster,
            controllers: arbiter ? [...possible, arbiter] : possible,
            nodeGroups,
            loadBalancer,
            admitted,
            promotion,
            provider,
        },
        parent,
    );
    if (args.cluster.selfHosted.etcd) new EtcdPods(name, { ...inCluster, provider, after: [members] }, parent);
    if (hasOtherEtcdCertificates(args.cluster)) {
        new EtcdCertificates(name, { ...inCluster, provider, after: [members, ...pivoted] }, parent);
    }
    const upgraded = new NodeAgents(name, { ...inCluster, downloads, groups, provider, order }, parent);
    const kubelets: pulumi.Resource[] = [upgraded];
    if (args.cluster.selfHosted.kubelet) {
        const pods = new KubeletPods(name, { ...inCluster, groups, provider, after: [upgraded] }, parent);
        kubelets.push(pods);
    }
    const workers = pools?.(upgraded) ?? [];
    order.add("workerKubelets", ...kubelets, ...workers);
    putJobsAfter("workerKubelets", jobs, put, [...kubelets, ...workers]);
    if (createdByCluster) {
        const after = [...createdByCluster.after, ...workers, pivot, ...controllers.map(({ resource }) => resource)];
        new CleanUp(
            name,
            { ...inCluster, createdByCluster: { ...createdByCluster, after }, kubeconfig, provider },
            parent,
        );
    }
    new StackRecord(name, { ...inCluster, created, provider }, parent);
    const everything = [pivot, ...workers, ...created.map(({ resource }) => resource)];
    watch?.begin({ kubeconfig, launchesOf }, everything, component);
    // Without the switches of the stack's provider, by which it takes over objects and fields of others.
    return (clusterIdentifier) =>
        new Provider(
            `${name}-workloads`,
            { kubeconfig: pulumi.secret(upgradable.kubeconfig), clusterIdentifier },
            { ...parent, dependsOn: everything },
        );
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
