import { parseYaml } from "../../clients/yaml";
import type { CloudName } from "../../cluster/clouds";
import { UsageError } from "../../command-line/parse";
import { readInput } from "../../command-line/read-input";
import type { StackConfig } from "../../local/stack-config";
import { verified } from "./clouds";

/** Name of the pool of the only worker. */
export const pool = "verify";

/**
 * The configuration of the smallest cluster with more than one node: the given one with one controller and few workers, one by default.
 *
 * @throws UsageError if the file is for another cloud, or has secrets that only its own stack can decrypt
 */
export function readChosen(path: string, cloud: CloudName, workers = 1): StackConfig {
    const file = parseYaml(path, readInput("--config", path).toString("utf8"));
    const config = (file as { config?: StackConfig } | null)?.config ?? {};
    const { "tradewind:cloud": other } = config;
    if (other !== cloud) {
        throw new UsageError(
            `--config must be a configuration with tradewind:cloud: ${cloud} (got ${other ?? "none"})`,
        );
    }
    const sealed = Object.entries(config).find(([, each]) => JSON.stringify(each)?.includes('"secure":'));
    if (sealed) {
        throw new UsageError(
            `--config must have no encrypted values (got ${sealed[0]}): set credentials in the environment`,
        );
    }
    const credential = Object.keys(config).find((key) =>
        Object.values(verified).some(({ accountKeys }) => accountKeys.test(key)),
    );
    if (credential) {
        throw new UsageError(`--config must have no credentials (got ${credential}): set them in the environment`);
    }
    return smallest(config, workers);
}

export function smallest(config: StackConfig, workers = 1): StackConfig {
    const { "tradewind:controllers": controllers, "tradewind:workerPools": pools, ...others } = config;
    const [first = {}] = (pools ?? []) as Record<string, unknown>[];
    const { labels: _labels, taints: _taints, min: _min, max: _max, ...kept } = first;
    return {
        ...others,
        ...withoutRetained(others),
        "tradewind:controllers": { ...(typeof controllers === "object" ? controllers : {}), count: 1 },
        "tradewind:workerPools": [{ ...kept, name: pool, count: workers }],
    };
}

/** Snapshots of this cluster are worth nothing, and its end searches for everything that is left. */
function withoutRetained(config: StackConfig): StackConfig {
    const buckets = ["tradewind:snapshotBucket", "tradewind:snapshotSpace"].filter((key) => config[key] !== undefined);
    return Object.fromEntries(buckets.map((key) => [key, { ...(config[key] as object), retained: false }]));
}

/** A snippet that changes the boot configuration of the worker, so that it is replaced. */
const changedBoot = {
    ignition: { version: "3.5.0" },
    storage: { files: [{ path: "/etc/tradewind-verified", contents: { source: "data:,replaced" } }] },
};

/** Keys with which the next `up` replaces the worker. */
export function replacing(config: StackConfig, cloud: CloudName, cluster: string): StackConfig {
    const [worker = {}] = (config["tradewind:workerPools"] ?? []) as { snippets?: string[] }[];
    const snippets = [...(worker.snippets ?? []), JSON.stringify(changedBoot)];
    const { keys, pool: settings } = verified[cloud].replacing(worker, `${cluster}-${pool}-0`);
    return { "tradewind:workerPools": [{ ...worker, snippets, ...settings }], ...keys };
}

/** Keys whose values a report shows. */
const reported =
    /^tradewind:(cloud|region|image|importedImage|os|controllers|workerPools|topology|apiAccess|apiHealthCheck|apiLoadBalancer|ipv6|ingress|cloudController|csiDriver|kubernetesVersion|etcdVersion|cni)$/;

const regions = Object.values(verified).map(({ region }) => region?.key);

/** A configuration without secrets and names of the user's. */
export function reportable(config: StackConfig): StackConfig {
    return Object.fromEntries(Object.entries(config).filter(([key]) => reported.test(key) || regions.includes(key)));
}
