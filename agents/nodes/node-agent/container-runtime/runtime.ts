import { minorOf } from "../../../../clients/kubernetes/nodes";

/** What runs containers, as its programs tell. */
export interface Runtime {
    /** The name of its directory: docs/upgrades.md#containerd. */
    readonly id: string;
    /** Its version, without the `v`. */
    readonly containerd: string;
    /** The same, or the beginning of its SHA-256 where it does not tell. */
    readonly runc: string;
}

/**
 * Whether pods have to go before a runtime gives way to another one.
 *
 * Containers run on under their shims while containerd restarts, and a patch of it knows all that the one before wrote. Another
 * runc and another minor version reach a container when it is made anew.
 */
export function needsDrain(from: Runtime, to: Runtime): boolean {
    const isOtherRunc = runcOf(from) !== runcOf(to);
    return isOtherRunc || minorOf(from.containerd).join() !== minorOf(to.containerd).join();
}

/**
 * Why one can't give way to the other, if so: containerd promises to read what the minor version before it wrote.
 * https://github.com/containerd/containerd/blob/main/RELEASES.md#upgrade-path
 */
export function stepProblem(from: Runtime, to: Runtime): string | undefined {
    const [[major, minor], [toMajor, toMinor]] = [minorOf(from.containerd), minorOf(to.containerd)];
    if (toMajor === major && Math.abs(toMinor - minor) <= 1) return undefined;
    const legal = [minor - 1, minor, minor + 1].filter((each) => each >= 0).map((each) => `${major}.${each}`);
    return `containerd ${from.containerd} can give way to ${legal.join(", ")} alone: containerd promises no more than the next minor version; wanted is ${to.containerd}`;
}

/** Whether a node tells that version: `containerd://2.4.2`. */
export function isTold({ containerd }: Runtime, told: string): boolean {
    return numbers(told) === numbers(containerd);
}

/** What tells it from another. */
export function labelOf(runtime: Runtime, other?: Runtime): string {
    const isSame = runtime.containerd === other?.containerd && runtime.runc === other.runc;
    return `containerd ${runtime.containerd} with runc ${runtime.runc}${isSame ? ` (${runtime.id})` : ""}`;
}

function runcOf({ id }: Runtime): string | undefined {
    return id.split("-")[1];
}

function numbers(version: string): string | undefined {
    return /\d+\.\d+\.\d+/.exec(version)?.[0];
}
