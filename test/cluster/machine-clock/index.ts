import { readFileSync } from "node:fs";
import { containerName, docker } from "../../../machines";
import { type Belongs, HeldClock } from "./held-clock";

export { type HeldClock, whyNot } from "./held-clock";

/**
 * Sets a machine's wall clock this many seconds ahead, for everything that runs or starts on it, until it is stopped.
 * The clocks of the host and of all other machines are unchanged. So are monotonic clocks, the kernel's file
 * timestamps, and what a process sees in the first moment of its life: a fifth of a second, or two seconds for one that
 * was started outside and moved there, as by `docker exec`.
 */
export async function holdClock(cluster: string, machine: string, seconds: number): Promise<HeldClock> {
    return HeldClock.hold(await processesOf(containerName(cluster, machine)), seconds);
}

/** Those whose control group is the container's or below it, including those of pods. */
export async function processesOf(container: string): Promise<Belongs> {
    const id = (await docker(["inspect", "--format", "{{.Id}}", container])).trim();
    if (!/^[0-9a-f]{64}$/.test(id)) throw new Error(`${container} must have an id of 64 digits (got ${id})`);
    return (folder) => readFileSync(`${folder}/cgroup`, "latin1").includes(id);
}
