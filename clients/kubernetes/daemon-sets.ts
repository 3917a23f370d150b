import type { DaemonSet } from "./objects";

/** All of its pods are up to date and Ready. */
export function isRolledOut({ metadata, status = {} }: DaemonSet): boolean {
    const { observedGeneration = 0, desiredNumberScheduled, updatedNumberScheduled = 0, numberReady } = status;
    return (
        observedGeneration >= (metadata.generation ?? 0) &&
        updatedNumberScheduled === desiredNumberScheduled &&
        numberReady === desiredNumberScheduled
    );
}
