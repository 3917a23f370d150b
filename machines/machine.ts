import { setTimeout as sleep } from "node:timers/promises";
import { seed, WITHOUT_RUNTIME } from "./cloud-init";
import { type ContainerState, containerState, oneAtATime, removeContainer } from "./container";
import { DockerError, docker } from "./docker";
import { ensureImage } from "./image";
import { setDnsRecord } from "./infra";
import { createArgs, type MachineOptions } from "./machine-container";
import { containerName } from "./names";
import { type ClusterNetwork, findNetwork, requireNetwork } from "./network";
import { filterEntry } from "./packet-filter";
import { type TarEntry, tar } from "./tar";

/** Where the machine finds it. */
const AUTHORITY = "usr/local/share/ca-certificates/simulated-clouds.crt";

/** Marker that the machine writes once its configuration was applied, which happens only once. */
const FIRST_BOOT_DONE = "/var/lib/tradewind/first-boot-done";

/** Waits within the machine: polling from outside uses more CPU than the boot itself. */
const UNTIL_UP = `
left=50
until test -e ${FIRST_BOOT_DONE} && systemctl show-environment >/dev/null 2>&1; do
    left=$((left - 1))
    test $left -gt 0 || exit 1
    sleep 0.2
done`;

/** Timeout of the first boot in seconds: the configuration may fetch files from the mirror. */
const FIRST_BOOT_TIMEOUT = 300;

/**
 * Creates a machine and boots it; resolves once its configuration was applied. An existing one is left as it is, and
 * started if it is off.
 */
export async function createMachine(options: MachineOptions): Promise<void> {
    const network = await requireNetwork(options.cluster);
    const container = containerName(options.cluster, options.name);
    await setDnsRecord(network, options.name, options.address);
    await oneAtATime(container, () => makeMachine(container, network, options));
}

async function makeMachine(
    container: string,
    network: ClusterNetwork,
    {
        cluster,
        name,
        address,
        address6,
        config,
        os,
        osLike,
        hasRuntime = true,
        memory,
        cloud,
        packetFilter,
    }: MachineOptions,
): Promise<void> {
    let existing = await containerState(container);
    if (existing && existing.state !== "running" && !(await hasBooted(existing))) {
        // Created but never started, so there is nothing to keep: it may even lack its configuration.
        await removeContainer(container);
        existing = undefined;
    }
    if (existing && existing.address !== address) {
        throw new Error(`--address must be ${existing.address}, which machine ${name} has (got ${address})`);
    }
    if (!existing) {
        const image = await ensureImage(os, osLike);
        await docker(createArgs({ cluster, name, address, address6, os, osLike, memory, cloud }, network, image));
        // Not by environment or volume: `docker inspect` must not show it.
        const filter = packetFilter === undefined ? [] : [filterEntry(packetFilter)];
        const without = hasRuntime ? [] : WITHOUT_RUNTIME;
        const files = [...filesOf({ name, config, os, cloud }), ...filter, ...without];
        await docker(["cp", "-", `${container}:/`], { input: tar(files) });
    }
    await powerOn(cluster, name);
}

/** Files that a machine has before its first boot. */
function filesOf({ name, config, os, cloud }: Pick<MachineOptions, "name" | "config" | "os" | "cloud">): TarEntry[] {
    if (config === undefined && !cloud) throw new Error(`machine ${name} must have a configuration (got none)`);
    const trusted = cloud ? [{ path: AUTHORITY, contents: cloud.authority }] : [];
    if (config === undefined) return trusted;
    if (os === "cloud-init") return [...seed(name, config), ...trusted];
    return [{ path: "var/lib/tradewind/config.ign", contents: config, mode: 0o600 }, ...trusted];
}

/** Removes a machine and its volumes, if it exists. */
export async function destroyMachine(cluster: string, name: string): Promise<void> {
    await removeContainer(containerName(cluster, name));
    const network = await findNetwork(cluster);
    if (network) {
        await setDnsRecord(network, name).catch((error: Error) => {
            // If the service does not exist, neither does the record.
            if (!(error instanceof DockerError)) throw error;
        });
    }
}

/** Starts a machine that is off; resolves once its configuration is applied and its init system responds. */
export async function powerOn(cluster: string, name: string): Promise<void> {
    const container = containerName(cluster, name);
    await docker(["start", container]);
    const deadline = Date.now() + FIRST_BOOT_TIMEOUT * 1000;
    let machine = await requireMachine(cluster, name);
    while (!(await hasBooted(machine))) {
        const isOff = machine.state !== "running";
        if (isOff || Date.now() > deadline) {
            const why = isOff ? `exit code ${machine.exitCode}` : `not done after ${FIRST_BOOT_TIMEOUT} s`;
            throw new Error(
                `machine ${name}: first boot failed (${why}); its console:\n${await consoleLog(cluster, name, 20)}`,
            );
        }
        await sleep(100);
        machine = await requireMachine(cluster, name);
    }
    // Not earlier: a machine that cannot boot must not retry forever.
    await docker(["update", "--restart", "unless-stopped", container]);
}

/** The machine's container; throws if it does not exist. */
export async function requireMachine(cluster: string, name: string): Promise<ContainerState> {
    const state = await containerState(containerName(cluster, name));
    if (state?.role !== "machine") {
        throw new Error(`--name must be a machine of ${cluster} (got ${name})`);
    }
    return state;
}

/**
 * The machine's console log, including the messages of systemd and Ignition. @param lines - only the last ones; all by
 * default
 */
export async function consoleLog(cluster: string, name: string, lines?: number): Promise<string> {
    const tail = lines === undefined ? [] : ["--tail", String(lines)];
    return docker(["logs", ...tail, containerName(cluster, name)]);
}

/**
 * True if the configuration was applied and, if the machine is running, its init system responds now or within seconds.
 * Not by `docker cp` on a running machine: that mounts over paths that a machine may be about to unmount.
 */
export async function hasBooted({ name, state }: ContainerState): Promise<boolean> {
    const probe =
        state === "running" ? ["exec", name, "sh", "-c", UNTIL_UP] : ["cp", `${name}:${FIRST_BOOT_DONE}`, "-"];
    try {
        await docker(probe);
        return true;
    } catch (error) {
        if (error instanceof DockerError) {
            return false;
        }
        throw error;
    }
}
