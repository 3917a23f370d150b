import { containerName, docker, list, powerOn } from "../machines";

/** Starts what stands still of a cluster that is there, such as after a restart of this computer. */
export async function wake(cluster: string, say: (line: string) => void): Promise<void> {
    const stopped = (await list(cluster)).filter(({ state }) => state !== "running");
    // The machines need their DNS and mirror.
    for (const { name } of stopped.filter(({ role }) => role !== "machine")) {
        say(`starting ${name}`);
        await docker(["start", containerName(cluster, name)]);
    }
    for (const { name } of stopped.filter(({ role }) => role === "machine")) {
        say(`starting ${name}`);
        await powerOn(cluster, name);
    }
}

/** Throws if machines that the stack made are not there any more: no `up` would bring them back. */
export async function requireMachines(cluster: string, nodes: readonly string[]): Promise<void> {
    const present = new Set((await list(cluster)).map(({ name }) => name));
    const gone = nodes.filter((node) => !present.has(node));
    if (gone.length > 0) {
        const option = cluster === "local" ? "" : ` --name ${cluster}`;
        throw new Error(
            `the machines ${gone.join(", ")} are in the stack's state, but not on this computer any more:\n` +
                `  npm start -- --destroy${option}   and then npm start again`,
        );
    }
}
