import type { NodeAgentPlan } from "../agents/nodes/node-agent/plan";
import { arbiterPool, controllerPool } from "../agents/nodes/removal/plan";
import { assertValid, parse, withoutByteOrderMarks } from "../ignition";
import { versions } from "../versions";
import { resolveAdmission } from "./admission";
import { resolveAuthentication } from "./authentication/check";
import { cloudNames } from "./clouds";
import { resolveControlPlaneFiles } from "./control-plane-files";
import { requireDrainTimeout, requireDuration } from "./durations";
import { resolveEtcdSnapshots } from "./etcd-snapshots";
import { resolveImages } from "./images";
import { resolveCertificates } from "./keys/certificates";
import { issuersOf } from "./keys/issuers";
import { resolveKeys } from "./keys/lists";
import { arbiterLabel, parseTaint, requireDistinctTaints } from "./labels";
import { resolveSelfHosted } from "./levels";
import { resolveLogs } from "./logs";
import { type Cluster, type Controllers, joinFailures, nodesByPool, type WorkerPool } from "./model";
import { resolveDns } from "./network/dns";
import { nodePodPrefix, resolveNetwork } from "./network/network";
import type { ClusterOptions, ControllerOptions, WorkerPoolOptions } from "./options";
import { resolveOsReboots } from "./os-reboots";
import { resolvePrometheus } from "./prometheus";
import { resolveProxy } from "./proxy";
import { resolveRegistryMirrors } from "./registry-mirrors";
import { resolveRepair } from "./repair";
import { upgradeChecks } from "./upgrade-overrides";
import { resolveUpgradeGuard } from "./upgrades/guarded";
import { resolveUpgradeJobs } from "./upgrades/jobs";
import { requireRollbackTo } from "./upgrades/rollback";
import { requireEtcdVersion, requireKubernetesVersion } from "./upgrades/supported";
import {
    conflictsWith,
    invalid,
    mustNot,
    requireCount,
    requireDnsLabel,
    requireDnsName,
    requireLabels,
    requireOneOf,
    requires,
} from "./validate";

// Not from the index, which mainly fills the cache: a preview should be fast.

/** Maximum size of a pool; a pool's node names and the pod block grow with it. */
const maxPoolSize = 1000;

/** Validates the options and applies the defaults. Throws `<option> must be <legal> (got <value>)`. */
export function resolveCluster(given: ClusterOptions): Cluster {
    const options = withoutByteOrderMarks(given);
    const { name, domain = "tradewind.internal", kubernetesVersion = versions.kubernetes, publicIssuer } = options;
    requireDnsLabel("name", name);
    requireDnsName("domain", domain);
    const kubernetes = requireKubernetesVersion("kubernetesVersion", kubernetesVersion);
    const etcd = requireEtcdVersion("etcdVersion", options.etcdVersion ?? versions.etcd);
    const workerPools = resolvePools(options);
    const controllers = resolveControllers(options, workerPools);
    const nodes = Object.values(nodesByPool({ controllers, workerPools })).flat().length;
    const zone = `${name}.${domain}`;
    const nodePrefix = Math.max(nodePodPrefix(), nodePodPrefix(options.components?.kubeControllerManager));
    const network = resolveNetwork(options.network ?? {}, nodes, nodePrefix);
    return {
        name,
        zone,
        apiName: `api.${zone}`,
        versions: { kubernetes, etcd, cniPlugins: versions.cniPlugins },
        ...(options.rollbackTo !== undefined && { rollbackTo: requireRollbackTo(options.rollbackTo, kubernetes) }),
        images: resolveImages(options, { kubernetes, etcd }),
        metrics: options.metrics ?? true,
        metricsServer: options.metricsServer ?? false,
        network,
        dns: resolveDns(options.network?.dns ?? {}, network),
        controllers,
        workerPools,
        extraArgs: resolveExtraArgs(options.components ?? {}),
        controlPlaneFiles: resolveControlPlaneFiles(options.controlPlaneFiles ?? {}),
        auditLog: requireOneOf("auditLog", [true, false], options.auditLog ?? true),
        ...(options.logs && { logs: resolveLogs(options.logs, options.auditLog) }),
        ...(options.prometheus && { prometheus: resolvePrometheus(options.prometheus, options.metrics) }),
        etcdSnapshots: resolveEtcdSnapshots(name, options.etcdSnapshots ?? {}),
        ...(options.osReboots?.windows.length && { osReboots: resolveOsReboots(options.osReboots) }),
        ...(options.repair && { repair: resolveRepair(options.repair) }),
        ...(options.selinux !== undefined && { selinux: requireOneOf("selinux", [true, false], options.selinux) }),
        ...(options.registryMirrors && { registryMirrors: resolveRegistryMirrors(options.registryMirrors) }),
        ...(options.proxy && { proxy: resolveProxy(options.proxy, { zone, network }) }),
        selfHosted: resolveSelfHosted(options.selfHosted ?? {}, options.components ?? {}),
        certificates: resolveCertificates(options.certificates ?? {}),
        admission: resolveAdmission(options),
        jwt: resolveAuthentication(options.authentication ?? {}, issuersOf({ network, publicIssuer })),
        ...(publicIssuer && { publicIssuer }),
        keys: resolveKeys(options.keys ?? {}),
        upgradeGuard: resolveUpgradeGuard(options.upgradeGuard ?? {}),
        upgradeJobs: resolveUpgradeJobs(options.upgradeJobs ?? []),
        upgradeOverrides: (options.upgradeOverrides ?? []).map((check, index) =>
            requireOneOf(`upgradeOverrides[${index}]`, upgradeChecks, check),
        ),
        ...(options.cloudProvider !== undefined && {
            cloudProvider: requireOneOf("cloudProvider", cloudNames, options.cloudProvider),
        }),
        apiLoadBalancer: options.apiLoadBalancer ?? true,
        ...(options.apiIdleTimeout !== undefined && {
            apiIdleSeconds: requireDuration("apiIdleTimeout", options.apiIdleTimeout, "10s", "1d"),
        }),
        workersJoinLast: options.workersJoinLast ?? false,
        rolloutSeconds: requireDuration("rolloutTimeout", options.rolloutTimeout ?? "5m", "30s"),
        joinSeconds: requireDuration("joinTimeout", options.joinTimeout ?? "5m", "1s", "1h"),
        joinFailure: requireOneOf("joinFailure", joinFailures, options.joinFailure ?? "warning"),
    };
}

function resolveControllers(
    { name: cluster, controllers: options = {}, cloudProvider, selfHosted, apiLoadBalancer }: ClusterOptions,
    pools: WorkerPool[],
): Controllers {
    const {
        count = 1,
        labels = {},
        schedulable = pools.every((pool) => pool.nodes.length === 0),
        snippets = [],
    } = options;
    requireControllerCount(count, options);
    requireLabels("controllers.labels", labels, cloudProvider);
    requireSnippets("controllers.snippets", snippets);
    const candidates = resolveCandidates(options, pools);
    if (candidates.length > 0) {
        if (selfHosted?.etcd) throw conflictsWith("controllers.candidates", "selfHosted.etcd");
        // A name would have to follow every replacement.
        if (apiLoadBalancer === false) throw requires("controllers.candidates", "apiLoadBalancer");
    }
    return {
        names: nodeNames(cluster, controllerPool, count),
        candidates,
        ...(options.arbiter && { arbiter: resolveArbiter({ name: cluster, controllers: options, selfHosted }) }),
        replaceAfterSeconds: requireDuration("controllers.replaceAfter", options.replaceAfter ?? "1m", "10s", "1d"),
        labels,
        schedulable,
        snippets,
    };
}

/** With an even number of members, etcd survives the loss of no more of them than with one less. */
function requireControllerCount(count: number, { arbiter = false }: ControllerOptions): void {
    requireOneOf("controllers.arbiter", [true, false], arbiter);
    const legal = arbiter ? [2] : [1, 3, 5];
    if (legal.includes(count)) return;
    throw invalid(
        "controllers.count",
        arbiter ? "2 with controllers.arbiter" : "1, 3 or 5, or 2 with controllers.arbiter",
        count,
    );
}

function resolveArbiter({ name: cluster, controllers = {}, selfHosted }: ClusterOptions): WorkerPool {
    if (controllers.candidates?.length) throw conflictsWith("controllers.arbiter", "controllers.candidates");
    // Its pods follow the role of controllers.
    if (selfHosted?.etcd) throw conflictsWith("controllers.arbiter", "selfHosted.etcd");
    return {
        name: arbiterPool,
        nodes: nodeNames(cluster, arbiterPool, 1),
        labels: {},
        taints: [{ key: arbiterLabel, value: "", effect: "NoSchedule" }],
        maxUnavailable: 1,
        drainSeconds: requireDrainTimeout(arbiterPool, undefined),
        snippets: [],
    };
}

/** Throws on clouds, whose machines and firewalls have no place for one. */
export function refuseArbiter({ controllers }: Pick<ClusterOptions, "controllers">): void {
    if (controllers?.arbiter) throw requires("controllers.arbiter", "a local cluster");
}

/** Node names of the pools whose nodes may become controllers. */
function resolveCandidates(
    { candidates = [], replaceAfter }: Pick<ControllerOptions, "candidates" | "replaceAfter">,
    pools: readonly WorkerPool[],
): string[] {
    if (replaceAfter !== undefined && candidates.length === 0) {
        throw requires("controllers.replaceAfter", "controllers.candidates", replaceAfter);
    }
    return candidates.flatMap((name, index) => {
        const option = `controllers.candidates[${index}]`;
        const pool = pools.find((each) => each.name === name);
        if (pool === undefined) throw invalid(option, "the name of a worker pool", name);
        if (candidates.indexOf(name) !== index) throw mustNot(option, "be listed twice", name);
        if (pool.nodes.length === 0) throw mustNot(option, "be a pool without nodes", name);
        return pool.nodes;
    });
}

function resolvePools({ name: cluster, workerPools: pools = [], cloudProvider }: ClusterOptions): WorkerPool[] {
    const taken = new Set([controllerPool, arbiterPool]);
    return pools.map((pool, index) => {
        const { name, count = 1, labels = {}, taints = [], drainTimeout, snippets = [] } = pool;
        const option = `workerPools[${index}]`;
        requireDnsLabel(`${option}.name`, name);
        if (taken.has(name)) {
            throw invalid(`${option}.name`, `unique and neither ${controllerPool} nor ${arbiterPool}`, name);
        }
        taken.add(name);
        requireCount(`${option}.count`, count, maxPoolSize);
        requireLabels(`${option}.labels`, labels, cloudProvider);
        requireSnippets(`${option}.snippets`, snippets);
        const parsed = taints.map((taint, t) => parseTaint(`${option}.taints[${t}]`, taint));
        requireDistinctTaints(`${option}.taints`, parsed);
        const drainSeconds = requireDrainTimeout(option, drainTimeout);
        const nodes = nodeNames(cluster, name, count);
        return {
            name,
            nodes,
            labels,
            taints: parsed,
            maxUnavailable: resolveMaxUnavailable(option, pool),
            drainSeconds,
            snippets,
        };
    });
}

function resolveMaxUnavailable(
    option: string,
    { maxUnavailable, maxUnavailablePercentage: percentage }: WorkerPoolOptions,
): WorkerPool["maxUnavailable"] {
    const isCount = (value: number, most = Number.MAX_SAFE_INTEGER) =>
        Number.isInteger(value) && value >= 1 && value <= most;
    if (maxUnavailable !== undefined && !isCount(maxUnavailable)) {
        throw invalid(`${option}.maxUnavailable`, "a whole number, 1 or more", maxUnavailable);
    }
    if (percentage === undefined) return maxUnavailable ?? 1;
    if (maxUnavailable !== undefined) {
        throw new Error(`${option}.maxUnavailable and ${option}.maxUnavailablePercentage are mutually exclusive`);
    }
    if (isCount(percentage, 100)) return `${percentage}%`;
    throw invalid(`${option}.maxUnavailablePercentage`, "a whole number from 1 to 100", percentage);
}

/** How many of a pool's nodes a DaemonSet changes at the same time: it rounds percentages up. */
export function nodesAtOnce(maxUnavailable: number | string, nodes: number): number {
    return typeof maxUnavailable === "number"
        ? maxUnavailable
        : Math.max(1, Math.ceil((nodes * Number.parseInt(maxUnavailable, 10)) / 100));
}

function resolveExtraArgs(components: NonNullable<ClusterOptions["components"]>): Cluster["extraArgs"] {
    for (const [component, args] of Object.entries(components)) {
        for (const flag of Object.keys(args ?? {})) {
            if (!/^[a-z][a-z0-9-]*$/.test(flag)) {
                throw invalid(`a key of components.${component}`, "a flag name without leading dashes", flag);
            }
        }
    }
    const ofControlPlane = { kubeApiserver: {}, kubeControllerManager: {}, kubeScheduler: {}, kubelet: {}, etcd: {} };
    return { ...ofControlPlane, kubeProxy: {}, coredns: {}, flannel: {}, kubeRouter: {}, ...components };
}

function requireSnippets(option: string, snippets: readonly string[]): void {
    snippets.forEach((snippet, index) => {
        try {
            assertValid(parse(snippet));
        } catch (error) {
            throw new Error(`${option}[${index}] must be valid Ignition JSON: ${(error as Error).message}`);
        }
    });
}

function nodeNames(cluster: string, pool: string, count: number): string[] {
    return Array.from({ length: count }, (_, index) => {
        const name = `${cluster}-${pool}-${index}`;
        requireDnsLabel("name and pool name together", name);
        return name;
    });
}

/**
 * Size of a controller's etcd disk on a cloud. Unit: GiB.
 *
 * It has room for three stores of etcd's quota (4 GiB): the store itself, a copy during defragmentation, and the one
 * set aside by a restore.
 */
const defaultSize = 20;

/** Throws `controllers.etcdDiskSize must be <legal> (got <value>)`. */
export function requireEtcdDiskSize(size: number = defaultSize): number {
    if (!Number.isInteger(size) || size < 10 || size > 16_384) {
        throw invalid("controllers.etcdDiskSize", "a whole number of GiB from 10 to 16384", size);
    }
    return size;
}

/** How a pool's agents learn that their machines are being terminated, and where they report that a node is drained. */
export type Departures = Required<Pick<NodeAgentPlan, "noticesFrom" | "group">>;

/** Worker pools whose machines are created and terminated at any time, with names assigned by the cloud. */
export interface MachineGroups {
    /** Regular expression that matches their full node names. */
    readonly namePattern: string;
    /** Maximum number of nodes by pool. */
    readonly max: Readonly<Record<string, number>>;
    /** By pool. @default machines are terminated without notice */
    readonly departures?: Readonly<Record<string, Departures>>;
}
