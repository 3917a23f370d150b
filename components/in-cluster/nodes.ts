import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import type { NodePools, PooledInstances } from "../../agents/nodes/approver/plan";
import { defaultLimits } from "../../agents/nodes/node-agent/plan";
import type { NodeGroups } from "../../agents/nodes/removal/plan";
import type { InstancesPlan, Machines } from "../../agents/nodes/serving-approver/plan";
import { bundleAgent } from "../../bundling/agents";
import type { NodeDownloads } from "../../cluster/downloads";
import type { ApproverCredentials } from "../../cluster/keys/credentials";
import { wantedNodes } from "../../cluster/manifests/nodes/desired-nodes";
import { selfHostedKubelet } from "../../cluster/manifests/nodes/kubelet-pods";
import { nodeAgent } from "../../cluster/manifests/nodes/node-agent";
import { namedPools, nodeApprover, nodePoolsConfig } from "../../cluster/manifests/nodes/node-approver";
import { type CleanedGroups, nodeCleaner } from "../../cluster/manifests/nodes/node-cleaner";
import {
    nodeRemovalAccount,
    nodeRemovalConfig,
    nodeRemovalJob,
    nodeRemovalPlan,
} from "../../cluster/manifests/nodes/node-removal";
import { rebootApprover } from "../../cluster/manifests/nodes/reboot-approver";
import { servingApprover, servingMachines } from "../../cluster/manifests/nodes/serving-approver";
import { type Cluster, nodesByPool } from "../../cluster/model";
import type { OsReboots } from "../../cluster/os-reboots";
import type { MachineGroups } from "../../cluster/resolve";
import { kubernetesObject, kubernetesObjects, rolloutTimeouts } from "./kubernetes-object";

interface NodeRemovalArgs {
    readonly cluster: Cluster;
    /** Controllers that stay or are added. */
    readonly controllers: readonly { readonly name: string; readonly address: pulumi.Input<string> }[];
    /** Pools whose nodes are named by the cloud. @default - none */
    readonly nodeGroups?: NodeGroups;
    /**
     * What routes requests to the API's controllers: a controller must be removed from it before it leaves.
     * @default - clients connect to the addresses, including a leaving one until its machine is deleted
     */
    readonly loadBalancer?: pulumi.Resource;
    /** Defines which nodes are admitted: a removed node must not register again. */
    readonly admitted: pulumi.Resource;
    readonly provider: Provider;
    /** The resource whose loss destroys the cluster and everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/**
 * Drains nodes that the stack removes, and takes them out of the cluster and its etcd.
 *
 * Pulumi deletes last, after creating and updating everything: a Job that is recreated when the list of nodes changes
 * has finished before the first machine is deleted.
 */
export class NodeRemoval extends pulumi.ComponentResource {
    constructor(name: string, args: NodeRemovalArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:NodeRemoval", name, {}, opts);
        const { cluster, controllers, nodeGroups, loadBalancer, admitted, provider, deletedWith } = args;
        const owner = { parent: this, provider, deletedWith };
        const account = nodeRemovalAccount().map((manifest) => kubernetesObject(name, manifest, owner));
        const record = wantedNodes(cluster, nodeGroups).map((manifest) => kubernetesObject(name, manifest, owner));
        const agent = bundleAgent("node-removal");
        const machines = pulumi.output(controllers.map(({ name: node, address }) => ({ name: node, address })));
        const data = machines.apply((all) => nodeRemovalConfig(nodeRemovalPlan(cluster, all, nodeGroups), agent).data);
        const config = kubernetesObject(
            name,
            nodeRemovalConfig(nodeRemovalPlan(cluster, [], nodeGroups), agent),
            owner,
            { data },
        );
        kubernetesObject(name, nodeRemovalJob(cluster, nodeGroups), {
            ...owner,
            // It keeps its name.
            deleteBeforeReplace: true,
            // A machine without a Node would register again while the record still contains it.
            dependsOn: [...account, ...record, config, admitted, ...(loadBalancer ? [loadBalancer] : [])],
        });
        this.registerOutputs({});
    }
}

interface KubeletPodsArgs {
    readonly cluster: Cluster;
    /** Worker pools whose machines are created at any time. @default none */
    readonly groups?: MachineGroups;
    readonly provider: Provider;
    /** What gives the hosts' kubelets the lock. */
    readonly after: pulumi.Resource;
    /** The resource whose loss destroys the cluster and everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** Kubelets that run as pods, if enabled: docs/levels.md. */
export class KubeletPods extends pulumi.ComponentResource {
    constructor(name: string, args: KubeletPodsArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:KubeletPods", name, {}, opts);
        const { cluster, groups, provider, after, deletedWith } = args;
        const nodes = Object.entries(nodesByPool(cluster)).map(([pool, { length }]) => groups?.max[pool] ?? length);
        // Nodes are updated one at a time.
        const customTimeouts = rolloutTimeouts(
            cluster,
            nodes.reduce((sum, each) => sum + each, 0),
        );
        kubernetesObjects(name, selfHostedKubelet(cluster), { parent: this, provider, deletedWith, customTimeouts }, [
            after,
        ]);
        this.registerOutputs({});
    }
}

interface KubeletServingArgs {
    readonly cluster: Cluster;
    /** Addresses of each machine, or instance ids, by node name. */
    readonly machines: pulumi.Input<Readonly<Record<string, readonly pulumi.Input<string>[]>>>;
    /** Where instance addresses are looked up. @default they are known */
    readonly instances?: InstancesPlan;
    readonly provider: Provider;
    /** The resource whose loss destroys the cluster and everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** Approves serving certificates for kubelets, each for its own machine only. */
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

interface NodeAgentsArgs {
    readonly cluster: Cluster;
    /** Downloads of a pool's machines; `controller` is a pool too. */
    readonly downloads: (pool: string) => NodeDownloads;
    /** Worker pools whose machines are created at any time. @default none */
    readonly groups?: MachineGroups;
    readonly provider: Provider;
    /** What must have its version first. */
    readonly after: pulumi.Resource;
    /** The resource whose loss destroys the cluster and everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** Brings all kubelets to the cluster's version: controllers one by one, then pool by pool. */
export class NodeAgents extends pulumi.ComponentResource {
    constructor(name: string, args: NodeAgentsArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:NodeAgents", name, {}, opts);
        const { cluster, downloads, groups, provider, after, deletedWith } = args;
        const program = bundleAgent("node-agent");
        let before = [after];
        for (const [pool, nodes] of Object.entries(nodesByPool(cluster))) {
            const { maxUnavailable = 1, drainSeconds } =
                cluster.workerPools.find(({ name: each }) => each === pool) ?? {};
            const customTimeouts = rolloutTimeouts(
                withDrain(cluster, drainSeconds),
                Math.ceil((groups?.max[pool] ?? nodes.length) / maxUnavailable),
            );
            const owner = { parent: this, provider, deletedWith, customTimeouts };
            const departures = groups?.departures?.[pool];
            const agents = { pool, downloads: downloads(pool), maxUnavailable, drainSeconds, departures };
            for (const manifest of nodeAgent(cluster, agents, program)) {
                before = [kubernetesObject(name, manifest, { ...owner, dependsOn: before })];
            }
        }
        this.registerOutputs({});
    }
}

/** Adds the drain timeout beyond the default to the time allowed per node. */
function withDrain({ rolloutSeconds }: Cluster, drainSeconds: number = defaultLimits.drain) {
    return { rolloutSeconds: rolloutSeconds + Math.max(0, drainSeconds - defaultLimits.drain) };
}

/** Worker pools whose machines are named by their cloud, and how to look them up there. */
export interface PooledMachines {
    /** Names of the cloud's groups, by pool name. */
    readonly groups: Readonly<Record<string, string>>;
    readonly instances: PooledInstances;
}

interface NodeApprovalArgs {
    readonly cluster: Cluster;
    readonly approver: pulumi.Output<ApproverCredentials>;
    /** @default - the stack names all nodes */
    readonly pooled?: PooledMachines;
    readonly provider: Provider;
    /** The resource whose loss destroys the cluster and everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** Admits machines as nodes if the stack or its cloud knows them, whatever token they have. */
export class NodeApproval extends pulumi.ComponentResource {
    /** The allowed nodes. A removed node is admitted until this is updated. */
    readonly pools: pulumi.Resource;

    constructor(name: string, args: NodeApprovalArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:NodeApproval", name, {}, opts);
        const { cluster, approver, pooled, provider, deletedWith } = args;
        const owner = { parent: this, provider, deletedWith, customTimeouts: rolloutTimeouts(cluster) };
        this.pools = kubernetesObject(name, nodePoolsConfig(nodePools(cluster, pooled)), owner);
        const options = { agent: bundleAgent("node-approver"), asksEc2: pooled !== undefined };
        const manifests = approver.apply((secrets) => nodeApprover(cluster, secrets, options));
        const before: pulumi.Resource[] = [this.pools];
        nodeApprover(cluster, placeholder, options).forEach((shape, index) => {
            const field = (key: string) => manifests.apply((all) => all[index]?.[key]);
            // Objects that contain the certificate or its hash are only known later.
            const fields =
                shape.kind === "Secret"
                    ? { data: field("data") }
                    : shape.kind === "DaemonSet"
                      ? { spec: pulumi.unsecret(field("spec")) }
                      : {};
            const dependsOn = shape.kind === "DaemonSet" ? [...before] : [];
            before.push(kubernetesObject(name, shape, { ...owner, dependsOn }, fields));
        });
        this.registerOutputs({});
    }
}

const placeholder: ApproverCredentials = { kubernetesCa: { cert: "" }, nodeApprover: { cert: "", key: "" } };

function nodePools(cluster: Cluster, pooled: PooledMachines | undefined): NodePools {
    if (pooled === undefined) return namedPools(cluster);
    const groups = Object.entries(pooled.groups).map(([pool, group]) => [pool, { group }]);
    return {
        pools: { ...namedPools(cluster, Object.keys(pooled.groups)).pools, ...Object.fromEntries(groups) },
        instances: pooled.instances,
    };
}

interface NodeCleaningArgs {
    readonly cluster: Cluster;
    readonly cleaned: CleanedGroups;
    readonly provider: Provider;
    /** The resource whose loss destroys the cluster and everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** Deletes nodes whose machines no longer exist, so that no rollout waits for them. */
export class NodeCleaning extends pulumi.ComponentResource {
    constructor(name: string, args: NodeCleaningArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:NodeCleaning", name, {}, opts);
        const { cluster, cleaned, provider, deletedWith } = args;
        const owner = { parent: this, provider, deletedWith, customTimeouts: rolloutTimeouts(cluster) };
        kubernetesObjects(name, nodeCleaner(cluster, cleaned, bundleAgent("node-cleaner")), owner);
        this.registerOutputs({});
    }
}

interface NodeRebootsArgs {
    readonly cluster: Cluster;
    readonly reboots: OsReboots;
    readonly provider: Provider;
    /** The resource whose loss destroys the cluster and everything in it. */
    readonly deletedWith: pulumi.Resource;
}

/** Reboots nodes whose OS requests it, one at a time: docs/upgrades.md. */
export class NodeReboots extends pulumi.ComponentResource {
    constructor(name: string, args: NodeRebootsArgs, opts?: pulumi.ComponentResourceOptions) {
        super("tradewind:index:NodeReboots", name, {}, opts);
        const { cluster, reboots, provider, deletedWith } = args;
        const owner = { parent: this, provider, deletedWith, customTimeouts: rolloutTimeouts(cluster) };
        kubernetesObjects(name, rebootApprover(cluster, reboots, bundleAgent("reboot-approver")), owner);
        this.registerOutputs({});
    }
}
