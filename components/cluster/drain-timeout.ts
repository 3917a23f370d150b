import { requireDuration } from "./duration";

const byDefault = "5m";

/** Seconds in which a node is to be drained. @param pool - `workerPools[0]` */
export function requireDrainTimeout(pool: string, drainTimeout: string = byDefault): number {
    return requireDuration(`${pool}.drainTimeout`, drainTimeout, "30s", "2h");
}
