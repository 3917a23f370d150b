import { setTimeout as sleep } from "node:timers/promises";
import { hostAddress } from "./addresses";
import type { CloudServices } from "./cloud-services";
import { DockerError, docker, dockerIfExists } from "./docker";
import { CLUSTER, DOMAIN, labels, networkName } from "./names";

export interface ClusterNetwork {
    readonly cluster: string;

    /** An IPv4 /24 in CIDR notation; see `pickSubnet`. */
    readonly subnet: string;

    /** An IPv6 /64, of a network whose machines have addresses of it. @default - none */
    readonly subnet6?: string;

    /** The domain the cluster's own name is put before, as in `<machine>.<cluster>.<domain>`. */
    readonly domain: string;

    /** Its DNS does not know the API by itself: who makes a load balancer makes a record of it. @default false */
    readonly lacksApiName?: boolean;

    /** Seconds for which its DNS remembers that a name is missing, as a resolver of a cloud does. @default - it remembers nothing */
    readonly remembersMissing?: number;

    /** The simulated cloud that it is of. @default - none */
    readonly services?: CloudServices;
}

/**
 * The cluster's Docker network, made if it is not there. It is internal: it has no way out,
 * so that no packet for an unknown address leaves this computer.
 */
export async function ensureNetwork({ cluster, subnet, subnet6, domain }: ClusterNetwork): Promise<void> {
    const existing = await findNetwork(cluster);
    if (existing) {
        if (existing.subnet !== subnet) {
            throw new Error(`--subnet must be ${existing.subnet}, which the network of ${cluster} has, got ${subnet}`);
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
            throw new Error(`--subnet must be free, got ${subnet}: ${error.stderr.trim()}`);
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
    if (Labels?.[CLUSTER] !== cluster) {
        throw new Error(`the Docker network ${networkName(cluster)} exists and is not ours`);
    }
    const [subnet, subnet6]: string[] = IPAM.Config.map((each: { Subnet: string }) => each.Subnet);
    return { cluster, subnet: subnet!, ...(subnet6 && { subnet6 }), domain: Labels[DOMAIN] };
}

/**
 * Whether the engine keeps an internal network inside by IPv6 too. One before 27 does not if not told to, and makes this
 * computer a router: there machines take their addresses by themselves, on a bridge that leads nowhere. A newer one may
 * drop what it knows no subnet of, between machines too.
 */
async function filtersIpv6(): Promise<boolean> {
    const version = await docker(["version", "--format", "{{.Server.Version}}"]);
    return Number.parseInt(version, 10) >= 27;
}

/** The cluster's network; an error that says what to do if there is none. */
export async function requireNetwork(cluster: string): Promise<ClusterNetwork> {
    const network = await findNetwork(cluster);
    if (!network) {
        throw new Error(`--cluster must be one that has a network (make it by "network create"), got ${cluster}`);
    }
    return network;
}

/** Seconds that the engine has to take notice of containers that are gone. */
const GRACE = 10;

/**
 * Removes a cluster's network, if it is there. The engine counts a network's endpoints and may count wrong when many
 * come and go at once; until it starts anew it then refuses to remove a network that has none
 * (https://github.com/moby/moby/issues/42119). Such a network is harmless: it is left, with a warning, and taken again
 * by a cluster of that name.
 * @throws Error if containers that are not the cluster's are on it, with their names
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
            `the network ${name} must have no containers but the cluster's, got ${others.join(", ")}: ` +
                `take them off by docker network disconnect ${name} <container>, then destroy again`,
        );
    }
    warn(
        `the Docker network ${name} stays: the engine takes it for used though no container is on it, as it may count ` +
            `wrong (moby#42119); once the engine was started anew, docker network rm ${name} removes it`,
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
