import { setTimeout as sleep } from "node:timers/promises";
import { containerState, containerStates } from "./container";
import { DockerError, docker } from "./docker";
import { hasBooted, powerOn, requireMachine } from "./machine";
import { containerName, filters, MACHINE } from "./names";
import type { ClusterNetwork } from "./network";
import { reattach } from "./reattach";

/** Seconds a machine has to shut down, including the kubelet's graceful shutdown. */
const SHUTDOWN_TIMEOUT = 180;

/** Reboots a machine gracefully; resolves once its init system responds. */
export async function reboot(cluster: string, name: string): Promise<void> {
    const container = await requireOn(cluster, name);
    const before = await startedAt(container);
    try {
        // By logind instead of a signal, so that the kubelet is notified and shuts its pods down gracefully.
        await docker(["exec", container, "systemctl", "reboot"]);
    } catch (error) {
        if (!(error instanceof DockerError)) throw error;
        await docker(["restart", "--time", String(SHUTDOWN_TIMEOUT), container], { timeout: SHUTDOWN_TIMEOUT * 2000 });
    }
    const deadline = Date.now() + SHUTDOWN_TIMEOUT * 1000;
    while ((await startedAt(container)) === before) {
        if (Date.now() > deadline) {
            throw new Error(`machine ${name} did not shut down within ${SHUTDOWN_TIMEOUT} s`);
        }
        await sleep(200);
    }
    await powerOn(cluster, name);
}

/**
 * Shuts a machine down gracefully, as its power button does, if it is on, and leaves it off. Cuts the power after a
 * timeout.
 *
 * @param seconds - the timeout. @default 180
 */
export async function shutDown(cluster: string, name: string, seconds = SHUTDOWN_TIMEOUT): Promise<void> {
    const container = containerName(cluster, name);
    const isOn = async () => (await containerState(container))?.state === "running";
    if (!(await isOn())) return;
    // Docker would take its exit for a crash and restart it.
    await docker(["update", "--restart", "no", container]);
    // By logind instead of a signal, as for a reboot.
    await docker(["exec", container, "systemctl", "poweroff"]).catch(() => undefined);
    const deadline = Date.now() + seconds * 1000;
    while (await isOn()) {
        if (Date.now() > deadline) {
            await docker(["kill", "--signal", "KILL", container]).catch(() => undefined);
            return;
        }
        await sleep(500);
    }
}

/** Cuts the power and turns it on again. */
export async function powerCut(cluster: string, name: string): Promise<void> {
    await powerOff(cluster, name);
    await powerOn(cluster, name);
}

/** Cuts the power; the machine stays off until `powerOn`. */
export async function powerOff(cluster: string, name: string): Promise<void> {
    const container = await requireOn(cluster, name);
    await docker(["exec", container, "sh", "-c", loseUnsynced]).catch(() => undefined);
    await docker(["kill", "--signal", "KILL", container]);
}

/**
 * Empties files that programs wrote without `fsync`, as a power cut does shortly after: the end of a container alone loses
 * nothing. Seen in a virtual machine.
 */
const loseUnsynced = "find /var/lib/cni -type f ! -name lock -exec truncate -s 0 {} +";

async function requireOn(cluster: string, name: string): Promise<string> {
    const { state } = await requireMachine(cluster, name);
    if (state !== "running") {
        throw new Error(`--name must be a running machine (got ${name}, which is ${state})`);
    }
    return containerName(cluster, name);
}

async function startedAt(container: string): Promise<string> {
    return docker(["container", "inspect", "--format", "{{.State.StartedAt}}", container]);
}

/**
 * Starts a cluster's stopped containers, such as after a restart of the host. Containers that never ran are left to
 * whatever creates them: a killed run may have created one without its files, and starting it would make it look
 * complete.
 *
 * @param network - to create again if it was removed while they were stopped. @default they fail to start then
 * @returns whether any machine was started
 */
export async function wake(cluster: string, say: (line: string) => void, network?: ClusterNetwork): Promise<boolean> {
    const all = await containerStates(filters(cluster));
    const stopped = all.filter(({ state }) => state !== "running" && state !== "created");
    if (network && all.length > 0) await reattach(network, stopped, say);
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
