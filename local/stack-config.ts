import { existsSync, readFileSync } from "node:fs";
import { shownValue } from "../clients/shown-value";
import { parseYaml } from "../clients/yaml";
import type { SelfHostedOptions } from "../cluster/options";
import { resolveCluster } from "../cluster/resolve";
import { invalidOption, UsageError } from "../command-line/parse";
import { writePrivate } from "../command-line/private-file";
import { type ClusterChoices, KEY, type Level, partsOf } from "./options";
import { decoded, withValue } from "./updated-yaml";

/** The `config` of a `Pulumi.<stack>.yaml`. */
export type StackConfig = Record<string, unknown>;

interface Pool {
    readonly name: string;
    readonly count?: number;
}

/** The pool resized by `--workers`. */
const DEFAULT_POOL = "default";

/**
 * The configuration of a cluster: existing values, overridden by the given options. A new cluster stores every value, so that
 * new defaults do not change existing clusters.
 */
export function mergeConfig(name: string, existing: StackConfig, choices: ClusterChoices): StackConfig {
    requireSame(name, existing, choices);
    const key = (option: string) => `tradewind:${option}`;
    const { arbiter, controllers = existing[key("controllers")] === undefined && !arbiter ? 1 : undefined } = choices;
    const { workers = existing[key("workerPools")] === undefined ? 1 : undefined } = choices;
    const pick = (option: string, chosen: string | undefined, fallback: string) =>
        chosen ?? existing[key(option)] ?? fallback;
    const defaults = resolveCluster({ name });
    return {
        ...atLevel(existing, choices.level),
        [key("cloud")]: "local",
        [key("kubernetesVersion")]: pick("kubernetesVersion", choices.kubernetes, defaults.versions.kubernetes),
        [key("etcdVersion")]: pick("etcdVersion", choices.etcd, defaults.versions.etcd),
        [key("os")]: pick("os", choices.os, "ignition"),
        ...(choices.osLike && { [key("osLike")]: choices.osLike }),
        [key("controllers")]: mergeControllers(existing[key("controllers")], controllers, choices),
        [key("workerPools")]: mergePools((existing[key("workerPools")] ?? []) as Pool[], workers),
        [key("podCidr")]: pick("podCidr", choices.podCidr, defaults.network.podCidr.text),
        [key("serviceCidr")]: pick("serviceCidr", choices.serviceCidr, defaults.network.serviceCidr.text),
        ...(choices.cni && { [key("cni")]: choices.cni }),
        ...(choices.kubeProxyMode && { [key("kubeProxyMode")]: choices.kubeProxyMode }),
        ...(choices.podCidr6 && { [key("podCidr6")]: choices.podCidr6 }),
        ...(choices.serviceCidr6 && { [key("serviceCidr6")]: choices.serviceCidr6 }),
    };
}

/** Throws the errors that the stack would throw in preview, before creating anything. */
export function checkConfig(name: string, config: StackConfig): void {
    const controllers = config["tradewind:controllers"];
    resolveCluster({
        name,
        kubernetesVersion: config["tradewind:kubernetesVersion"] as string,
        etcdVersion: config["tradewind:etcdVersion"] as string,
        controllers: typeof controllers === "object" ? (controllers as object) : { count: controllers as number },
        workerPools: config["tradewind:workerPools"] as Pool[],
        selfHosted: config["tradewind:selfHosted"] as SelfHostedOptions | undefined,
        network: {
            podCidr: config["tradewind:podCidr"] as string,
            serviceCidr: config["tradewind:serviceCidr"] as string,
            podCidr6: config["tradewind:podCidr6"] as string | undefined,
            serviceCidr6: config["tradewind:serviceCidr6"] as string | undefined,
            cni: config["tradewind:cni"] as string | undefined,
            kubeProxyMode: config["tradewind:kubeProxyMode"] as string | undefined,
            networkPolicies: config["tradewind:networkPolicies"] as string | undefined,
        },
    });
}

/** Number of machines in a configuration. */
export function machineCounts(config: StackConfig): { controllers: number; workers: number } {
    const controllers = config["tradewind:controllers"] as number | { count?: number };
    const pools = config["tradewind:workerPools"] as Pool[];
    return {
        controllers: typeof controllers === "object" ? (controllers.count ?? 1) : controllers,
        workers: pools.reduce((sum, { count = 1 }) => sum + count, 0),
    };
}

/** Size of the pool resized by `--workers`. */
export function defaultWorkers(config: StackConfig): number {
    const pool = (config["tradewind:workerPools"] as Pool[]).find(({ name }) => name === DEFAULT_POOL);
    return pool === undefined ? 0 : (pool.count ?? 1);
}

/** Restores what Pulumi stores as text. */
export function readConfig(path: string): StackConfig {
    const file = existsSync(path) ? parseYaml(path, readFileSync(path, "utf8")) : undefined;
    const { config } = (file ?? {}) as { config?: StackConfig };
    const all = Object.fromEntries(Object.entries(config ?? {}).map(([key, value]) => [key, decoded(value)]));
    const { [CONTROLLERS]: controllers = 1, [POOLS]: pools = [] } = all;
    const shown = (value: unknown) => shownValue(JSON.stringify(value));
    if (typeof controllers !== "number" && !isObject(controllers)) {
        throw new UsageError(`${path}: ${CONTROLLERS} must be a number or an object (got ${shown(controllers)})`);
    }
    if (!Array.isArray(pools) || !pools.every(isObject)) {
        throw new UsageError(`${path}: ${POOLS} must be a list of objects (got ${shown(pools)})`);
    }
    return all;
}

const CONTROLLERS = "tradewind:controllers";
const POOLS = "tradewind:workerPools";

function isObject(value: unknown): boolean {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Keeps everything other than `config`, such as the encryption salt, and comments and anchors of what does not change. */
export function writeConfig(path: string, config: StackConfig): void {
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    writePrivate(path, withValue(text, "config", config));
}

function mergeControllers(
    existing: unknown,
    count: number | undefined,
    { arbiter, candidates }: Pick<ClusterChoices, "arbiter" | "candidates">,
): unknown {
    if (typeof existing !== "object" && !arbiter && !candidates) return count ?? existing;
    const given = (typeof existing === "object" ? existing : { count: existing }) as Record<string, unknown>;
    const { arbiter: _, ...others } = given;
    return {
        // Another number of controllers has none.
        ...(count === undefined ? given : { ...others, count }),
        ...(arbiter && { count: 2, arbiter }),
        ...(candidates && { candidates: [DEFAULT_POOL] }),
    };
}

function mergePools(existing: readonly Pool[], count: number | undefined): Pool[] {
    if (count === undefined) {
        return [...existing];
    }
    // Pools keep their position, because it determines the addresses of the machines.
    return existing.some(({ name }) => name === DEFAULT_POOL)
        ? existing.map((pool) => (pool.name === DEFAULT_POOL ? { ...pool, count } : pool))
        : [...existing, { name: DEFAULT_POOL, count }];
}

/** Settings that cannot be changed after creation, with their options. */
const FIXED = {
    podCidr: "--pod-cidr",
    serviceCidr: "--service-cidr",
    podCidr6: "--pod-cidr6",
    serviceCidr6: "--service-cidr6",
    os: "--os",
    osLike: "--os-like",
} as const;

/** Those that are optional at creation. */
const OPTIONAL: readonly string[] = ["podCidr6", "serviceCidr6", "osLike"];

function requireSame(name: string, existing: StackConfig, choices: ClusterChoices): void {
    const { "tradewind:cloud": cloud = "local" } = existing;
    if (cloud !== "local") {
        throw invalidOption("--name", `a local cluster (use npm run pulumi for clusters on ${cloud})`, name);
    }
    const isExisting = existing["tradewind:podCidr"] !== undefined;
    for (const choice of Object.keys(FIXED) as (keyof typeof FIXED)[]) {
        const has = existing[`tradewind:${choice}`];
        const chosen = choices[choice];
        if (has !== undefined && chosen !== undefined && chosen !== has) {
            throw invalidOption(FIXED[choice], `${has}, with which the cluster ${name} was created`, chosen);
        }
        if (has === undefined && chosen !== undefined && OPTIONAL.includes(choice) && isExisting) {
            throw new UsageError(
                `${FIXED[choice]} must not be set for the cluster ${name}, which was created without it (got ${chosen})`,
            );
        }
    }
}

/** A configuration with another level. @param level - @default - the current one */
export function atLevel(config: StackConfig, level: Level | undefined): StackConfig {
    if (level === undefined) return config;
    const { [KEY]: _, ...others } = config;
    const parts = partsOf[level];
    return parts ? { ...others, [KEY]: parts } : others;
}
