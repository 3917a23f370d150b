import { containerStates } from "./container";
import { docker } from "./docker";
import { hasBooted, powerOn } from "./machine";
import { filters, MACHINE } from "./names";

/**
 * Starts what stands still of a cluster, such as after a restart of this computer. What was never up is left to
 * who makes it: a run that was killed may have made it without its files, and it would be taken for whole.
 *
 * @returns whether any machine was started
 */
export async function wake(cluster: string, say: (line: string) => void): Promise<boolean> {
    const all = await containerStates(filters(cluster));
    const stopped = all.filter(({ state }) => state !== "running" && state !== "created");
    // The machines need their DNS and mirror.
    for (const { name } of stopped.filter(({ role }) => role !== "machine")) {
        say(`starting ${name}`);
        await docker(["start", name]);
    }
    let hasStarted = false;
    for (const machine of stopped.filter(({ role }) => role === "machine")) {
        if (await hasBooted(machine)) {
            const name = machine.labels[MACHINE]!;
            say(`starting ${name}`);
            await powerOn(cluster, name);
            hasStarted = true;
        }
    }
    return hasStarted;
}
