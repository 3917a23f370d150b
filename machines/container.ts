import { join } from "node:path";
import { cacheDir } from "../cache";
import { takeFileLock } from "../cache/file-lock";
import { docker, dockerIfExists } from "./docker";
import { ROLE, type Role } from "./names";

export interface ContainerState {
    readonly name: string;
    readonly state: "created" | "running" | "paused" | "restarting" | "removing" | "exited" | "dead";
    readonly exitCode: number;
    readonly image: string;
    readonly role: Role;
    readonly labels: Readonly<Record<string, string>>;

    /** Its fixed address in the cluster's network, even while it is off. */
    readonly address: string;

    /** The same for IPv6. @default none */
    readonly address6?: string;

    /** The engine's id of its network; empty if it never ran. */
    readonly networkId: string;
}

/** What the engine reports about a container; undefined if it does not exist. */
export async function containerState(name: string): Promise<ContainerState | undefined> {
    const found = await dockerIfExists(["container", "inspect", name]);
    return found ? parseInspected(JSON.parse(found)[0]) : undefined;
}

/** All containers that match the filters (`docker ps --filter …`), by name. */
export async function containerStates(filters: readonly string[]): Promise<ContainerState[]> {
    const ids = (await docker(["ps", "--all", "--quiet", ...filters])).split("\n").filter(Boolean);
    const states = await inspectAll(ids);
    return states
        .filter((state) => state !== undefined)
        .sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}

/**
 * Inspects all of them with one client, as each client costs as much as everything it queries. A container removed in
 * the meantime fails the whole query.
 */
async function inspectAll(ids: readonly string[]): Promise<(ContainerState | undefined)[]> {
    if (ids.length === 0) {
        return [];
    }
    const found = await dockerIfExists(["container", "inspect", ...ids]);
    return found ? JSON.parse(found).map(parseInspected) : Promise.all(ids.map(containerState));
}

/** Removes a container and its anonymous volumes, if it exists. */
export async function removeContainer(name: string): Promise<void> {
    await dockerIfExists(["rm", "--force", "--volumes", name]);
}

/** A network of a container, as the engine describes it. */
interface Attached {
    readonly IPAMConfig?: { readonly IPv4Address?: string; readonly IPv6Address?: string } | null;
    readonly NetworkID?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the engine's answer has no type of its own.
function parseInspected(inspected: any): ContainerState {
    const networks = Object.values<Attached>(inspected.NetworkSettings.Networks);
    // That of a published load balancer is its second one.
    const network = networks.find(({ IPAMConfig }) => IPAMConfig?.IPv4Address);
    const address6 = network?.IPAMConfig?.IPv6Address;
    return {
        name: inspected.Name.slice(1),
        state: inspected.State.Status,
        exitCode: inspected.State.ExitCode,
        image: inspected.Config.Image,
        role: inspected.Config.Labels[ROLE],
        labels: inspected.Config.Labels,
        address: network?.IPAMConfig?.IPv4Address ?? "",
        ...(address6 && { address6 }),
        networkId: network?.NetworkID ?? "",
    };
}

/**
 * Creates a container under a lock: commands of a run that was killed may still be running, and would start the next
 * run's container before it has its files.
 */
export async function oneAtATime<T>(container: string, make: () => Promise<T>): Promise<T> {
    const release = await takeFileLock(join(cacheDir(), "locks", container), () =>
        console.error(`waiting for another run that is creating ${container}`),
    );
    try {
        return await make();
    } finally {
        release();
    }
}
