import { minorOf } from "../../../../clients/kubernetes/minor";

/** A container runtime, as reported by its programs. */
export interface Runtime {
    /** Name of its directory: docs/runtime-upgrades.md#containerd. */
    readonly id: string;
    /** Its version, without the `v`. */
    readonly containerd: string;
    /** The same, or the beginning of its SHA-256 if it reports none. */
    readonly runc: string;
}

/**
 * Whether the node must be drained to replace a runtime.
 *
 * Containers keep running under their shims while containerd restarts, and a patch release reads everything that the
 * one before wrote. Another runc or minor version reaches a container only when it is recreated.
 */
export function needsDrain(from: Runtime, to: Runtime): boolean {
    const isOtherRunc = runcOf(from) !== runcOf(to);
    return isOtherRunc || minorOf(from.containerd).join() !== minorOf(to.containerd).join();
}

/**
 * Why one can't be replaced by the other, if so: containerd promises to read what the previous minor version wrote.
 * https://github.com/containerd/containerd/blob/main/RELEASES.md#upgrade-path
 */
export function stepProblem(from: Runtime, to: Runtime): string | undefined {
    const [[major, minor], [toMajor, toMinor]] = [minorOf(from.containerd), minorOf(to.containerd)];
    if (toMajor === major && Math.abs(toMinor - minor) <= 1) return undefined;
    const legal = [minor - 1, minor, minor + 1].filter((each) => each >= 0).map((each) => `${major}.${each}`);
    return `containerd ${from.containerd} can only be replaced by ${legal.join(", ")}, since containerd supports upgrades only to the next minor version (got ${to.containerd})`;
}

/** Whether a node reports that version: `containerd://2.4.2`. */
export function hasVersion({ containerd }: Runtime, reported: string): boolean {
    return numbers(reported) === numbers(containerd);
}

/** Distinguishes it from another. */
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
