import type { Created } from "./created";

/** A snapshot of a volume, which it outlives. */
export interface Snapshot extends Created {
    /** Id of the volume. */
    readonly volume: string;
    /** Of the volume. Unit: GiB. */
    readonly size: number;
    readonly isEncrypted: boolean;
    /** In ISO 8601. */
    readonly started: string;
    readonly description?: string;
    /** The machines' network that has its data. @default the volume was never attached */
    readonly network?: string;
}

/** Seconds until its data is copied; EC2 takes minutes. It is a volume's state of when it started. */
const pendingSeconds = 5;

export function snapshotState({ started }: Pick<Snapshot, "started">): "pending" | "completed" {
    return Date.now() - Date.parse(started) < pendingSeconds * 1000 ? "pending" : "completed";
}
