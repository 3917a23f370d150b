import { setTimeout as sleep } from "node:timers/promises";
import { DockerError, docker, dockerIfExists } from "./docker";
import { networkName } from "./names";
import { findNetwork } from "./network";

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
