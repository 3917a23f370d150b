import { type Listed, list } from "./cluster";
import { docker } from "./docker";
import { askEngine, execByApi } from "./engine-api";
import { engineSocket } from "./engine-socket";
import { CLUSTER, containerName, filters, MACHINE, marks, ROLE } from "./names";

/** What is read of a container in the engine's list. */
export interface InList {
    readonly Labels: Readonly<Record<string, string>>;
    readonly State: string;
    readonly NetworkSettings: {
        readonly Networks: Readonly<Record<string, { readonly IPAMConfig?: { readonly IPv4Address?: string } | null }>>;
    };
}

/** The machines of a cluster, as `list` shows them, asked by no other process where that can be. */
export async function machinesThere(cluster: string, timeout: number): Promise<Listed[]> {
    const socket = engineSocket();
    if (socket === undefined) {
        return (await list(cluster)).filter(({ role }) => role === "machine");
    }
    const call = { socket, what: ["ps"], deadline: Date.now() + timeout };
    const query = new URLSearchParams({ all: "true", filters: JSON.stringify({ label: marks(cluster, "machine") }) });
    return (await askEngine<InList[]>(call, `/containers/json?${query}`))
        .map(listed)
        .sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}

/** Names of the clusters that have a network, asked likewise. */
export async function clusterNetworks(timeout = 10_000): Promise<string[]> {
    const socket = engineSocket();
    if (socket === undefined) {
        const format = `{{.Label "${CLUSTER}"}}`;
        return (await docker(["network", "ls", ...filters(), "--format", format])).split("\n").filter(Boolean);
    }
    const call = { socket, what: ["network", "ls"], deadline: Date.now() + timeout };
    const query = new URLSearchParams({ filters: JSON.stringify({ label: marks() }) });
    const all = await askEngine<Pick<InList, "Labels">[]>(call, `/networks?${query}`);
    return all.flatMap(({ Labels }) => Labels[CLUSTER] ?? []);
}

/** Runs a command in a machine, likewise; what it wrote to standard output. */
export function askMachine(
    cluster: string,
    name: string,
    command: readonly string[],
    timeout: number,
): Promise<string> {
    const socket = engineSocket();
    const container = containerName(cluster, name);
    return socket === undefined
        ? docker(["exec", container, ...command], { timeout })
        : execByApi({ socket, what: ["exec", container], deadline: Date.now() + timeout }, container, command);
}

function listed({ Labels, State, NetworkSettings }: InList): Listed {
    const addresses = Object.values(NetworkSettings.Networks).map(({ IPAMConfig }) => IPAMConfig?.IPv4Address);
    return {
        cluster: Labels[CLUSTER],
        name: Labels[MACHINE],
        role: Labels[ROLE],
        address: addresses.find(Boolean) ?? "",
        state: State,
    };
}
