import { containerStates, oneAtATime, removeContainer } from "./container";
import { destroyDisks } from "./disks";
import { docker } from "./docker";
import { ensureInfra, setDnsRecord } from "./infra";
import { CLUSTER, containerName, filters, INFRA, MACHINE } from "./names";
import { type ClusterNetwork, ensureNetwork, removeNetwork } from "./network";

/** A machine or service container of a cluster, as `list` shows it. */
export interface Listed {
    readonly cluster: string;
    readonly name: string;
    readonly role: string;
    readonly address: string;
    readonly state: string;
}

/** The cluster's network with DNS and mirror; existing machines keep their names. */
export function createNetwork(network: ClusterNetwork): Promise<void> {
    return oneAtATime(containerName(network.cluster, INFRA), () => makeNetwork(network));
}

async function makeNetwork(network: ClusterNetwork): Promise<void> {
    await ensureNetwork(network);
    await ensureInfra(network);
    for (const { labels, address } of await containerStates(filters(network.cluster, "machine"))) {
        const name = labels[MACHINE];
        if (name !== undefined) await setDnsRecord(network, name, address);
    }
}

/** Removes the network with DNS and mirror; fails while machines are attached. Disks stay. */
export async function destroyNetwork(cluster: string): Promise<void> {
    const machines = await containerStates(filters(cluster, "machine"));
    if (machines.length > 0) {
        const names = machines.map(({ labels }) => labels[MACHINE]).join(", ");
        throw new Error(`--cluster must be one without machines (got ${cluster}, which has ${names})`);
    }
    await destroyContainers(cluster);
}

/**
 * Removes everything of a cluster: machines, disks, services, network.
 * @param warn - called with a line about anything that could not be removed. @default standard error
 */
export async function destroyCluster(cluster: string, warn?: (line: string) => void): Promise<void> {
    await destroyContainers(cluster, warn);
    await destroyDisks(cluster);
}

async function destroyContainers(cluster: string, warn?: (line: string) => void): Promise<void> {
    const containers = await containerStates(filters(cluster));
    await Promise.all(containers.map(({ name }) => removeContainer(name)));
    await removeNetwork(cluster, warn);
}

/** All containers of one cluster, or of all clusters. */
export async function list(cluster?: string): Promise<Listed[]> {
    const containers = await containerStates(filters(cluster));
    return containers.flatMap(({ labels, role, address, state, name: container }) => {
        const owner = labels[CLUSTER];
        const name = labels[MACHINE] ?? container.replace(`tradewind-${owner}-`, "");
        return owner ? [{ cluster: owner, name, role, address, state }] : [];
    });
}

/** The states of a cluster's machines, by name, from a single client, for callers that poll. */
export async function machineStates(cluster: string): Promise<Record<string, string>> {
    const format = `{{.Label "${MACHINE}"}} {{.State}}`;
    const listed = await docker(["ps", "--all", "--format", format, ...filters(cluster, "machine")]);
    return Object.fromEntries(
        listed
            .split("\n")
            .filter(Boolean)
            .map((line) => line.split(" ")),
    );
}
