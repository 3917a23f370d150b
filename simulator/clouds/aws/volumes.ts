import type { Created, Named } from "./created";

/** An EBS volume, of the type gp3. */
export interface Volume extends Created {
    readonly zone: string;
    /** Unit: GiB. */
    readonly size: number;
    /** The machines' network where it was first attached, which has its data. @default never attached */
    readonly network?: string;
    /** The snapshot that it was created from. @default it started blank */
    readonly snapshot?: string;
    /** @default true */
    readonly isEncrypted?: boolean;
    /** @default 3000 */
    readonly iops?: number;
    /** Unit: MiB/s. @default 125 */
    readonly throughput?: number;
    /** Creation time, in ISO 8601. */
    readonly created?: string;
    /** The client token, which makes repeated requests idempotent, and the request. */
    readonly client?: { readonly token: string; readonly asked: string };
    readonly modification?: Modification;
    /** Its last attachment, which goes on until a time in simulated milliseconds. @default it is not detaching */
    readonly detaching?: VolumeAttachment & { readonly until: number };
}

/** The last modification of a volume. */
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
    /** Its disk is being attached or detached. @default it is attached */
    readonly state?: "attaching" | "detaching";
}

/** Size and performance of a volume. */
export function performanceOf({ size, iops = 3000, throughput = 125 }: Volume): Performance {
    return { size, iops, throughput };
}

/** Seconds for which a modification is in progress, and until it is complete; EC2 takes minutes or hours. */
const modifyingSeconds = 2;
const optimizingSeconds = 20;

/** Progress of a modification. The new size is available once it is optimizing. */
export function modificationState(
    { started }: Modification,
    now = Date.now(),
): "modifying" | "optimizing" | "completed" {
    const seconds = (now - Date.parse(started)) / 1000;
    if (seconds < modifyingSeconds) return "modifying";
    return seconds < optimizingSeconds ? "optimizing" : "completed";
}
