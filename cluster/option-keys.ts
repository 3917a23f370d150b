import type { ClusterOptions, ControllerOptions, WorkerPoolOptions } from "./options";

/** A table of keys: with `satisfies KeysOf<…>`, it does not compile if one is missing. */
export type KeysOf<Keys extends PropertyKey> = Readonly<Record<Keys, true>>;

// Options that make manifests and node configs are in one of these tables. Those that only make a cloud's resources are
// in the interfaces of that cloud only.

export const clusterKeys = {
    apiIdleTimeout: true,
    apiLoadBalancer: true,
    auditLog: true,
    authentication: true,
    certificates: true,
    cloudImages: true,
    cloudProvider: true,
    components: true,
    controlPlaneFiles: true,
    controllers: true,
    domain: true,
    etcdSnapshots: true,
    etcdVersion: true,
    eventRateLimit: true,
    externalIPs: true,
    imageDigests: true,
    images: true,
    joinFailure: true,
    joinTimeout: true,
    keys: true,
    kubernetesVersion: true,
    logs: true,
    metrics: true,
    metricsServer: true,
    prometheus: true,
    name: true,
    network: true,
    osReboots: true,
    podSecurity: true,
    proxy: true,
    publicIssuer: true,
    registryMirrors: true,
    repair: true,
    rollbackTo: true,
    rolloutTimeout: true,
    selfHosted: true,
    selinux: true,
    upgradeGuard: true,
    upgradeJobs: true,
    upgradeOverrides: true,
    workerPools: true,
    workersJoinLast: true,
} satisfies KeysOf<keyof ClusterOptions>;

export const controllerKeys = {
    arbiter: true,
    candidates: true,
    count: true,
    labels: true,
    replaceAfter: true,
    schedulable: true,
    snippets: true,
} satisfies KeysOf<keyof ControllerOptions>;

export const poolKeys = {
    count: true,
    drainTimeout: true,
    labels: true,
    maxUnavailable: true,
    maxUnavailablePercentage: true,
    name: true,
    snippets: true,
    taints: true,
} satisfies KeysOf<keyof WorkerPoolOptions>;

type Shared = Omit<ClusterOptions, "name">;

/** Options of a cloud without those that only it has: of the cluster, its controllers and its pools. */
export function sharedOptions(options: Shared): Shared {
    const [shared] = splitOptions(options, clusterKeys);
    const { controllers, workerPools } = shared;
    return {
        ...shared,
        ...(controllers && { controllers: splitOptions(controllers, controllerKeys)[0] }),
        ...(workerPools && { workerPools: workerPools.map((pool) => splitOptions(pool, poolKeys)[0]) }),
    };
}

/** Splits options into those with the given keys and the others. */
export function splitOptions<T extends object, K extends PropertyKey>(
    all: T,
    keys: KeysOf<K>,
): [Pick<T, K & keyof T>, Omit<T, K>] {
    const entries = Object.entries(all);
    const [picked, others] = [true, false].map((isPicked) =>
        Object.fromEntries(entries.filter(([key]) => Object.hasOwn(keys, key) === isPicked)),
    );
    return [picked as Pick<T, K & keyof T>, others as Omit<T, K>];
}
