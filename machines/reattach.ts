import type { ContainerState } from "./container";
import { docker } from "./docker";
import { networkName } from "./names";
import { type ClusterNetwork, ensureNetwork, findNetwork } from "./network";

/**
 * Creates a cluster's network again if it was removed, as `docker network prune` does while its containers are stopped,
 * and attaches them to it with their addresses.
 *
 * @throws Error if another network has its name or overlaps with its subnet
 */
export async function reattach(
    network: ClusterNetwork,
    stopped: readonly ContainerState[],
    say: (line: string) => void,
): Promise<void> {
    const name = networkName(network.cluster);
    let existing = await findNetwork(network.cluster);
    if (stopped.length === 0) return;
    if (!existing) {
        say(`creating the Docker network ${name} again, which was removed`);
        await ensureNetwork(network);
        existing = (await findNetwork(network.cluster))!;
    }
    const id = (await docker(["network", "inspect", name, "--format", "{{.Id}}"])).trim();
    for (const container of stopped.filter(({ networkId }) => networkId !== id)) {
        if (existing.subnet !== network.subnet) throw new Error(hasOtherSubnet(name, network, existing));
        await attach(name, container, existing.subnet6 !== undefined);
    }
}

async function attach(network: string, { name, address, address6 }: ContainerState, isDual: boolean): Promise<void> {
    const byIpv6 = address6 && isDual ? ["--ip6", address6] : [];
    const connect = ["network", "connect", "--ip", address || "ADDRESS", ...byIpv6, network, name];
    const how = `attach it with docker ${connect.join(" ")}, then repeat the command`;
    if (address === "") throw new Error(`the container ${name} must have an address in the network ${network}: ${how}`);
    // Its settings still name the network that was removed.
    await docker(["network", "disconnect", "--force", network, name]);
    try {
        await docker(connect);
    } catch (error) {
        throw new Error(`${(error as Error).message}\nThe container ${name} has lost its network: ${how}`);
    }
}

function hasOtherSubnet(name: string, network: ClusterNetwork, existing: ClusterNetwork): string {
    return (
        `the Docker network ${name} must have the subnet ${network.subnet} (got ${existing.subnet}): ` +
        `remove it with docker network rm ${name}, then repeat the command, which creates it again`
    );
}
