import type { Made, Named } from "./made";

/** An EBS volume, of the type gp3. */
export interface Volume extends Made {
    readonly zone: string;
    /** Unit: GiB. */
    readonly size: number;
    /** Where it was attached first, which is where its data are: a machines' network. @default it never was */
    readonly network?: string;
    /** @default true */
    readonly isEncrypted?: boolean;
    /** @default 3000 */
    readonly iops?: number;
    /** Unit: MiB/s. @default 125 */
    readonly throughput?: number;
    /** When it was made, in ISO 8601. */
    readonly created?: string;
    /** By what its maker has one of it, however often it asks, and what it asked for. */
    readonly client?: { readonly token: string; readonly asked: string };
    readonly modification?: Modification;
}

/** The last change of a volume. */
export interface Modification {
    /** In ISO 8601. */
    readonly started: string;
    readonly before: Performance;
    readonly after: Performance;
}

export interface Performance {
    readonly size: number;
    readonly iops: number;
    readonly throughput: number;
}

export interface VolumeAttachment extends Named {
    readonly volume: string;
    readonly instance: string;
    readonly device: string;
    /** In ISO 8601. */
    readonly since?: string;
    /** Its disk is on the way to the machine, or from it. @default it is there */
    readonly state?: "attaching" | "detaching";
}

/** What a volume has and does. */
export function performanceOf({ size, iops = 3000, throughput = 125 }: Volume): Performance {
    return { size, iops, throughput };
}

/** Seconds in which a modification is under way, and until it is complete; EC2 takes minutes, or hours. */
const modifyingSeconds = 2;
const optimizingSeconds = 20;

/** How far a modification is. While one is optimizing, its size is there. */
export function modificationState(
    { started }: Modification,
    now = Date.now(),
): "modifying" | "optimizing" | "completed" {
    const seconds = (now - Date.parse(started)) / 1000;
    if (seconds < modifyingSeconds) return "modifying";
    return seconds < optimizingSeconds ? "optimizing" : "completed";
}
