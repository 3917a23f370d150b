// Not from the index, which is mostly of filling the cache: a preview should be quick.
import { cloudImagesFor } from "../../artifacts/cloud-images";
import { imagesFor } from "../../artifacts/images";
import { ETCD_VERSIONS, KUBERNETES_VERSIONS, versions } from "../../artifacts/lock";
import { assertValid, parse } from "../../ignition";
import { resolveCertificates } from "./certificates";
import { requireCloudImages } from "./cloud-images";
import { requireDrainTimeout } from "./drain-timeout";
import { requireDuration } from "./duration";
import { resolveEtcdSnapshots } from "./etcd-snapshots";
import { resolveKeys } from "./key-lists";
import { type Cluster, type Controllers, cloudProviders, type WorkerPool } from "./model";
import { resolveNetwork } from "./network";
import type { ClusterOptions } from "./options";
import { resolveOsReboots } from "./os-reboots";
import { resolveSelfHosted } from "./self-hosted";
import { upgradeChecks } from "./upgrade-checks";
import {
    invalid,
    parseTaint,
    requireCount,
    requireDistinctTaints,
    requireDnsLabel,
    requireDnsName,
    requireLabels,
    requireOneOf,
} from "./validate";

/** Most nodes of one pool; a pool's node names and the pod block grow with it. */
const maxPoolSize = 1000;

/** Validates the options and fills in the defaults. Throws `<option> must be <legal>, got <value>`. */
export function resolveCluster(options: ClusterOptions): Cluster {
    const { name, domain = "tradewind.internal", kubernetesVersion = versions.kubernetes } = options;
    requireDnsLabel("name", name);
    requireDnsName("domain", domain);
    const kubernetes = requireOneOf("kubernetesVersion", KUBERNETES_VERSIONS, kubernetesVersion);
    const etcd = requireOneOf("etcdVersion", ETCD_VERSIONS, options.etcdVersion ?? versions.etcd);
    const workerPools = resolvePools(options);
    const controllers = resolveControllers(options, workerPools);
    const nodes = controllers.names.length + workerPools.reduce((sum, pool) => sum + pool.nodes.length, 0);
    const zone = `${name}.${domain}`;
    return {
        name,
        zone,
        apiName: `api.${zone}`,
        versions: { kubernetes, etcd, cniPlugins: versions.cniPlugins },
        images: {
            ...imagesFor(kubernetes, etcd),
            ...cloudImagesFor(kubernetes),
            ...requireCloudImages(options.cloudImages),
        },
        network: resolveNetwork(options.network ?? {}, nodes),
        controllers,
        workerPools,
        extraArgs: resolveExtraArgs(options.components ?? {}),
        etcdSnapshots: resolveEtcdSnapshots(name, options.etcdSnapshots ?? {}),
        ...(options.osReboots && { osReboots: resolveOsReboots(options.osReboots) }),
        selfHosted: resolveSelfHosted(options.selfHosted ?? {}, options.components ?? {}),
        certificates: resolveCertificates(options.certificates ?? {}),
        keys: resolveKeys(options.keys ?? {}),
        upgradeOverrides: (options.upgradeOverrides ?? []).map((check, index) =>
            requireOneOf(`upgradeOverrides[${index}]`, upgradeChecks, check),
        ),
        ...(options.cloudProvider !== undefined && {
            cloudProvider: requireOneOf("cloudProvider", cloudProviders, options.cloudProvider),
        }),
        hasApiLoadBalancer: options.hasApiLoadBalancer ?? true,
        rolloutSeconds: requireDuration("rolloutTimeout", options.rolloutTimeout ?? "5m", "30s"),
    };
}

function resolveControllers(
    { name: cluster, controllers: options = {}, cloudProvider }: ClusterOptions,
    pools: WorkerPool[],
): Controllers {
    const {
        count = 1,
        labels = {},
        isSchedulable = pools.every((pool) => pool.nodes.length === 0),
        snippets = [],
    } = options;
    requireOneOf("controllers.count", [1, 3, 5], count);
    requireLabels("controllers.labels", labels, cloudProvider);
    requireSnippets("controllers.snippets", snippets);
    return { names: nodeNames(cluster, "controller", count), labels, isSchedulable, snippets };
}

function resolvePools({ name: cluster, workerPools: pools = [], cloudProvider }: ClusterOptions): WorkerPool[] {
    const seen = new Set(["controller"]);
    return pools.map((pool, index) => {
        const { name, count = 1, labels = {}, taints = [], maxUnavailable = 1, drainTimeout, snippets = [] } = pool;
        const option = `workerPools[${index}]`;
        requireDnsLabel(`${option}.name`, name);
        if (seen.has(name)) {
            throw invalid(`${option}.name`, "unique and not controller", name);
        }
        seen.add(name);
        requireCount(`${option}.count`, count, maxPoolSize);
        requireLabels(`${option}.labels`, labels, cloudProvider);
        if (!Number.isInteger(maxUnavailable) || maxUnavailable < 1) {
            throw invalid(`${option}.maxUnavailable`, "a whole number, 1 or more", maxUnavailable);
        }
        requireSnippets(`${option}.snippets`, snippets);
        const parsed = taints.map((taint, t) => parseTaint(`${option}.taints[${t}]`, taint));
        requireDistinctTaints(`${option}.taints`, parsed);
        const drainSeconds = requireDrainTimeout(option, drainTimeout);
        const nodes = nodeNames(cluster, name, count);
        return { name, nodes, labels, taints: parsed, maxUnavailable, drainSeconds, snippets };
    });
}

function resolveExtraArgs(components: NonNullable<ClusterOptions["components"]>): Cluster["extraArgs"] {
    for (const [component, args] of Object.entries(components)) {
        for (const flag of Object.keys(args ?? {})) {
            if (!/^[a-z][a-z0-9-]*$/.test(flag)) {
                throw invalid(`a key of components.${component}`, "a flag's name without leading dashes", flag);
            }
        }
    }
    return { kubeApiserver: {}, kubeControllerManager: {}, kubeScheduler: {}, kubelet: {}, etcd: {}, ...components };
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
