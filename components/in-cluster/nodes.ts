import * as pulumi from "@pulumi/pulumi";
import type { NodePools, PooledInstances } from "../../agents/nodes/approver/plan";
import { defaultLimits } from "../../agents/nodes/node-agent/plan";
import type { NodeGroups } from "../../agents/nodes/removal/plan";
import type { InstancesPlan, Machines } from "../../agents/nodes/serving-approver/plan";
import { bundleAgent } from "../../bundling/agents";
import type { NodeDownloads } from "../../cluster/downloads";
import type { ApproverCredentials } from "../../cluster/keys/credentials";
import { desiredNodes } from "../../cluster/manifests/nodes/desired-nodes";
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
import {
    type CloudRepair,
    nodeRepairer,
    nodeRepairerSecret,
    repairsRecord,
} from "../../cluster/manifests/nodes/node-repairer";
import { rebootApprover } from "../../cluster/manifests/nodes/reboot-approver";
import { servingApprover, servingMachines } from "../../cluster/manifests/nodes/serving-approver";
import { type Cluster, nodesByPool, otherPools } from "../../cluster/model";
import type { OsReboots } from "../../cluster/os-reboots";
import type { Repair } from "../../cluster/repair";
import { type MachineGroups, nodesAtOnce } from "../../cluster/resolve";
import type { UpgradeOrder } from "../../cluster/upgrades/order";
import { type InCluster, type InClusterAfter, inCluster, putInOrder, rollout, waitFor } from "./kubernetes-object";
import { putJobsAfter } from "./upgrade-jobs";

interface NodeRemovalArgs extends InCluster {
    /** Controllers that stay or are added, candidates and the arbiter. */
    readonly controllers: readonly { readonly name: string; readonly address: pulumi.Input<string> }[];
    /** Pools whose nodes are named by the cloud. @default - none */
    readonly nodeGroups?: NodeGroups;
    /**
     * What routes requests to the API's controllers: a controller must be removed from it before it leaves.
     * @default - clients connect to the addresses, including a leaving one until its machine is deleted
     */
    readonly loadBalancer?: pulumi.Resource;
    /** Knows how many controllers there should be, and must not replace those that are removed. @default - no candidates */
    readonly promotion?: pulumi.Resource;
    /** Defines which nodes are admitted: a removed node must not register again. */
    readonly admitted: pulumi.Resource;
}

/**
 * Drains nodes that the stack removes, and takes them out of the cluster and its etcd.
 *
 * Pulumi deletes last, after creating and updating everything: a Job that is recreated when the list of nodes changes
 * has finished before the first machine is deleted.
 */
export const NodeRemoval = inCluster("tradewind:index:NodeRemoval", (args: NodeRemovalArgs, put) => {
    const { cluster, controllers, nodeGroups, loadBalancer, promotion, admitted } = args;
    const account = nodeRemovalAccount().map((manifest) => put(manifest));
    const record = desiredNodes(cluster, nodeGroups).map((manifest) => put(manifest));
    const agent = bundleAgent("node-removal");
    const configOf = (machines: Parameters<typeof nodeRemovalPlan>[1]) =>
        nodeRemovalConfig(nodeRemovalPlan(cluster, machines, nodeGroups), agent);
    const machines = pulumi.output(controllers.map(({ name, address }) => ({ name, address })));
    const config = put(configOf([]), {}, { data: machines.apply((all) => configOf(all).data) });
    put(nodeRemovalJob(cluster, nodeGroups), {
        // It keeps its name.
        deleteBeforeReplace: true,
        // A machine without a Node would register again while the record still contains it.
        dependsOn: [
            ...account,
            ...record,
            config,
            admitted,
            ...(loadBalancer ? [loadBalancer] : []),
            ...(promotion ? [promotion] : []),
        ],
    });
});

/** What a record has of a pool, which may be named `constructor`. */
function of<T>(record: Readonly<Record<string, T>> | undefined, pool: string): T | undefined {
    return record && Object.hasOwn(record, pool) ? record[pool] : undefined;
}

/** Worker pools whose machines are created at any time. */
interface Groups {
    /** @default none */
    readonly groups?: MachineGroups;
}

/** Kubelets that run as pods, if enabled: docs/levels.md. */
export const KubeletPods = inCluster(
    "tradewind:index:KubeletPods",
    ({ cluster, groups, after }: InClusterAfter & Groups, put) => {
        const nodes = Object.entries(nodesByPool(cluster)).map(([pool, { length }]) => of(groups?.max, pool) ?? length);
        // Nodes are updated one at a time.
        const waves = nodes.reduce((sum, each) => sum + each, 0);
        putInOrder(put, selfHostedKubelet(cluster), rollout(cluster, waves), after);
    },
);

interface KubeletServingArgs extends InCluster {
    /** Addresses of each machine, or instance ids, by node name. */
    readonly machines: pulumi.Input<Readonly<Record<string, readonly pulumi.Input<string>[]>>>;
    /** Where instance addresses are looked up. @default they are known */
    readonly instances?: InstancesPlan;
}

/** Approves serving certificates for kubelets, each for its own machine only. */
export const KubeletServing = inCluster(
    "tradewind:index:KubeletServing",
    ({ cluster, machines, instances }: KubeletServingArgs, put) => {
        const data = pulumi.output(machines).apply((all) => servingMachines(all as Machines).data);
        const known = put(servingMachines({}), rollout(cluster), { data });
        const manifests = servingApprover(cluster, bundleAgent("serving-approver"), instances);
        putInOrder(put, manifests, rollout(cluster), [known]);
    },
);

interface NodeAgentsArgs extends InCluster, Groups {
    readonly order: UpgradeOrder<pulumi.Resource>;
    /** Downloads of a pool's machines; `controller` is a pool too. */
    readonly downloads: (pool: string) => NodeDownloads;
}

/** Brings all kubelets to the cluster's version: controllers one by one, then pool by pool. */
export const NodeAgents = inCluster("tradewind:index:NodeAgents", (args: NodeAgentsArgs, put) => {
    const { cluster, downloads, groups, order } = args;
    const program = bundleAgent("node-agent");
    let before = waitFor(order.before("controllerKubelets"));
    for (const [pool, nodes] of Object.entries(nodesByPool(cluster))) {
        const { maxUnavailable = 1, drainSeconds } = otherPools(cluster).find(({ name }) => name === pool) ?? {};
        const most = of(groups?.max, pool) ?? nodes.length;
        const waves = Math.ceil(most / nodesAtOnce(maxUnavailable, most));
        const timeouts = rollout(withDrain(cluster, drainSeconds), waves);
        const departures = of(groups?.departures, pool);
        const agents = { pool, downloads: downloads(pool), maxUnavailable, drainSeconds, departures };
        for (const manifest of nodeAgent(cluster, agents, program)) {
            before = waitFor([put(manifest, { ...timeouts, dependsOn: before })]);
        }
        if (pool === "controller") before = waitFor(before, putJobsAfter("controllerKubelets", args, put, before));
        before = waitFor(order.unlessNew(before));
    }
});

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

interface NodeApprovalArgs extends InCluster {
    readonly approver: pulumi.Output<ApproverCredentials>;
    /** Which nodes are controllers, which the agent reads. Empty without candidates. */
    readonly record: readonly pulumi.Resource[];
    /** @default - the stack names all nodes */
    readonly pooled?: PooledMachines;
}

/**
 * Admits machines as nodes if the stack or its cloud knows them, whatever token they have. Made: the allowed nodes; a
 * removed node is admitted until they are updated.
 */
export const NodeApproval = inCluster(
    "tradewind:index:NodeApproval",
    ({ cluster, approver, record, pooled }: NodeApprovalArgs, put) => {
        const pools = put(nodePoolsConfig(nodePools(cluster, pooled)), rollout(cluster));
        const options = { agent: bundleAgent("node-approver"), asksEc2: pooled !== undefined };
        const manifests = approver.apply((secrets) => nodeApprover(cluster, secrets, options));
        const before: pulumi.Resource[] = [pools, ...record];
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
            before.push(put(shape, { ...rollout(cluster), dependsOn }, fields));
        });
        return pools;
    },
);

const placeholder: ApproverCredentials = { kubernetesCa: { cert: "" }, nodeApprover: { cert: "", key: "" } };

function nodePools(cluster: Cluster, pooled: PooledMachines | undefined): NodePools {
    if (pooled === undefined) return namedPools(cluster);
    const groups = Object.entries(pooled.groups).map(([pool, group]) => [pool, { group }]);
    return {
        pools: { ...namedPools(cluster, Object.keys(pooled.groups)).pools, ...Object.fromEntries(groups) },
        instances: pooled.instances,
    };
}

/** Deletes nodes whose machines no longer exist, so that no rollout waits for them. */
export const NodeCleaning = inCluster(
    "tradewind:index:NodeCleaning",
    ({ cluster, cleaned }: InCluster & { readonly cleaned: CleanedGroups }, put) => {
        putInOrder(put, nodeCleaner(cluster, cleaned, bundleAgent("node-cleaner")), rollout(cluster));
    },
);

/** What of a cloud repairs its machines. */
export interface RepairAccess extends Pick<CloudRepair, "name" | "cloud"> {
    /** Token for its API. @default - the instances' role has the permissions */
    readonly token?: pulumi.Input<string>;
}

interface NodeRepairArgs extends InCluster {
    readonly repair: Repair;
    /** @default - only a person can repair machines */
    readonly access?: RepairAccess;
}

/** Restarts and replaces machines whose nodes are not Ready: docs/repair.md. */
export const NodeRepair = inCluster("tradewind:index:NodeRepair", (args: NodeRepairArgs, put) => {
    const { cluster, repair, access } = args;
    const by = access && { name: access.name, cloud: access.cloud, hasToken: access.token !== undefined };
    const repairs = { repair, ...(by && { by }) };
    // Its data belongs to the agent.
    const before = [put(repairsRecord(repairs), { ignoreChanges: ["data"] })];
    if (access?.token !== undefined) {
        const data = pulumi.output(access.token).apply((token) => nodeRepairerSecret(token).data);
        before.push(put(nodeRepairerSecret(""), rollout(cluster), { data: pulumi.secret(data) }));
    }
    putInOrder(put, nodeRepairer(cluster, repairs, bundleAgent("node-repairer")), rollout(cluster), before);
});

/** Reboots nodes whose OS requests it, one at a time: docs/upgrades.md. */
export const NodeReboots = inCluster(
    "tradewind:index:NodeReboots",
    ({ cluster, reboots }: InCluster & { readonly reboots: OsReboots }, put) => {
        putInOrder(put, rebootApprover(cluster, reboots, bundleAgent("reboot-approver")), rollout(cluster));
    },
);
