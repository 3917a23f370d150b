import { readFileSync } from "node:fs";
import { containerName, docker } from "../../../machines";
import { type Belongs, HeldClock } from "./held-clock";

export { type HeldClock, whyNot } from "./held-clock";

/**
 * Sets the wall clock of a machine so many seconds ahead, for all that runs on it and all that starts there, until it
 * is stopped. The clock of this computer, and of all other machines, stays. So do monotonic clocks, the times that the
 * kernel gives to files, and what a process sees in the first moment of its life: a fifth of a second, or two seconds of
 * one that was begun outside and moved there, as `docker exec` does.
 */
export async function holdClock(cluster: string, machine: string, seconds: number): Promise<HeldClock> {
    return HeldClock.hold(await processesOf(containerName(cluster, machine)), seconds);
}

/** Those whose control group is the container's or lies in it, those of pods among them. */
export async function processesOf(container: string): Promise<Belongs> {
    const id = (await docker(["inspect", "--format", "{{.Id}}", container])).trim();
    if (!/^[0-9a-f]{64}$/.test(id)) throw new Error(`${container} must have an id of 64 digits, got ${id}`);
    return (folder) => readFileSync(`${folder}/cgroup`, "latin1").includes(id);
}
