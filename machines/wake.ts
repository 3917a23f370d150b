import { type ContainerState, containerStates } from "./container";
import { docker } from "./docker";
import { hasBooted, powerOn } from "./machine";
import { filters, MACHINE } from "./names";

/**
 * Starts what stands still of a cluster, such as after a restart of this computer. What was never up is left to
 * who makes it: a run that was killed may have made it without its files, and it would be taken for whole.
 */
export async function wake(cluster: string, say: (line: string) => void): Promise<void> {
    const stopped = (await containerStates(filters(cluster))).filter(({ state }) => state !== "running");
    // The machines need their DNS and mirror.
    for (const { name } of stopped.filter(({ role, state }) => role !== "machine" && state !== "created")) {
        say(`starting ${name}`);
        await docker(["start", name]);
    }
    for (const machine of stopped.filter(({ role }) => role === "machine")) {
        if (await wasUp(machine)) {
            const name = machine.labels[MACHINE]!;
            say(`starting ${name}`);
            await powerOn(cluster, name);
        }
    }
}

async function wasUp(machine: ContainerState): Promise<boolean> {
    return machine.state !== "created" && (await hasBooted(machine));
}
