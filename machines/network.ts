import { setTimeout as sleep } from "node:timers/promises";
import type { CloudServices } from "./cloud-services";
import { DockerError, docker, dockerIfExists } from "./docker";
import { CLUSTER, DOMAIN, hostAddress, labels, networkName, OURS } from "./names";

export interface ClusterNetwork {
    readonly cluster: string;

    /** An IPv4 /24 in CIDR notation; see `pickSubnet`. */
    readonly subnet: string;

    /** An IPv6 block that machines get addresses from: a /64, or the /56 of a VPC. @default - none */
    readonly subnet6?: string;

    /** The domain below the cluster's name, as in `<machine>.<cluster>.<domain>`. */
    readonly domain: string;

    /** Its DNS has no built-in record of the API: the creator of a load balancer adds one. @default false */
    readonly lacksApiName?: boolean;

    /** Seconds for which its DNS caches missing names, as a cloud's resolver does. @default - no caching */
    readonly remembersMissing?: number;

    /** The simulated cloud it belongs to. @default - none */
    readonly services?: CloudServices;
}

/**
 * The cluster's Docker network, created if it does not exist. It is internal: it has no route out, so no packet for an
 * unknown address leaves the host.
 */
export async function ensureNetwork({ cluster, subnet, subnet6, domain }: ClusterNetwork): Promise<void> {
    const existing = await findNetwork(cluster);
    if (existing) {
        if (existing.subnet !== subnet) {
            throw new Error(`--subnet must be ${existing.subnet}, which the network of ${cluster} has (got ${subnet})`);
        }
        return;
    }
    const byIpv6 = subnet6 && (await filtersIpv6()) ? ["--ipv6", "--subnet", subnet6] : [];
    const where = ["--driver", "bridge", "--internal", "--subnet", subnet, "--gateway", hostAddress(subnet, 1)];
    try {
        await docker([
            "network",
            "create",
            ...where,
            ...byIpv6,
            ...labels(cluster),
            "--label",
            `${DOMAIN}=${domain}`,
            networkName(cluster),
        ]);
    } catch (error) {
        if (error instanceof DockerError && /overlaps|conflicts/i.test(error.stderr)) {
            throw new Error(`--subnet must be free (got ${subnet}): ${error.stderr.trim()}`);
        }
        throw error;
    }
}

export async function findNetwork(cluster: string): Promise<ClusterNetwork | undefined> {
    const found = await dockerIfExists(["network", "inspect", networkName(cluster)]);
    if (!found) {
        return undefined;
    }
    const [{ IPAM, Labels }] = JSON.parse(found);
    if (Labels?.[OURS] !== "1" || Labels[CLUSTER] !== cluster || !Labels[DOMAIN]) throw new Error(isForeign(cluster));
    const [subnet, subnet6]: string[] = IPAM.Config.map((each: { Subnet: string }) => each.Subnet);
    return { cluster, subnet: subnet!, ...(subnet6 && { subnet6 }), domain: Labels[DOMAIN] };
}

function isForeign(cluster: string): string {
    const name = networkName(cluster);
    return (
        `the Docker network ${name} must have the labels that Tradewind creates it with, but another program created it: ` +
        `stop its containers, remove it with docker network rm ${name}, then repeat the command`
    );
}

/**
 * Whether the engine isolates an internal network's IPv6 too. Before version 27 it does so only on request, and makes
 * the host a router: there, machines configure their addresses themselves, on a bridge with no route out. A newer one
 * may drop traffic of subnets it does not know, even between machines.
 */
async function filtersIpv6(): Promise<boolean> {
    const version = await docker(["version", "--format", "{{.Server.Version}}"]);
    return Number.parseInt(version, 10) >= 27;
}

/** The cluster's network; throws an error with a hint if it does not exist. */
export async function requireNetwork(cluster: string): Promise<ClusterNetwork> {
    const network = await findNetwork(cluster);
    if (!network) {
        throw new Error(`--cluster must be one that has a network (got ${cluster}): create it with "network create"`);
    }
    return network;
}

/** Seconds that the engine has to notice that containers were removed. */
const GRACE = 10;

/**
 * Removes a cluster's network, if it exists. The engine counts a network's endpoints and may miscount when many are
 * added and removed at once; until it is restarted it then refuses to remove a network without endpoints
 * (https://github.com/moby/moby/issues/42119). Such a network is harmless: it stays, with a warning, and is reused by a
 * cluster of that name.
 * @throws Error if other containers are attached to it, with their names
 */
export async function removeNetwork(
    cluster: string,
    warn: (line: string) => void = console.error,
    grace = GRACE,
): Promise<void> {
    if (!(await findNetwork(cluster))) {
        return;
    }
    const name = networkName(cluster);
    const deadline = Date.now() + grace * 1000;
    for (;;) {
        try {
            await dockerIfExists(["network", "rm", name]);
            return;
        } catch (error) {
            if (!isInUse(error)) throw error;
        }
        if (Date.now() > deadline) {
            break;
        }
        await sleep(500);
    }
    const others = await containersOn(name);
    if (others.length > 0) {
        throw new Error(
            `the network ${name} must have no containers but the cluster's (got ${others.join(", ")}): ` +
                `detach them with docker network disconnect ${name} <container>, then destroy again`,
        );
    }
    warn(
        `the Docker network ${name} could not be removed: the engine considers it in use although no ` +
            `container is attached, a known miscount (moby#42119); restart the engine, then run docker network rm ${name}`,
    );
}

function isInUse(error: unknown): boolean {
    return error instanceof DockerError && /has active endpoints/.test(error.stderr);
}

async function containersOn(network: string): Promise<string[]> {
    const found = await docker(["network", "inspect", network, "--format", "{{json .Containers}}"]);
    return Object.values<{ Name: string }>(JSON.parse(found) ?? {})
        .map(({ Name }) => Name)
        .sort();
}
