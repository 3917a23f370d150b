import { containerStates } from "./container";
import { docker } from "./docker";
import { hasBooted, powerOn } from "./machine";
import { filters, MACHINE } from "./names";

/**
 * Starts a cluster's stopped containers, such as after a restart of the host. Containers that never ran are left to
 * whatever creates them: a killed run may have created one without its files, and starting it would make it look
 * complete.
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
