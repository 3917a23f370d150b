import { at } from "../object";
import { FIVE_MINUTES, type Rule, ready, waiting } from "./readiness";

export const persistentVolume: Rule = {
    timeout: FIVE_MINUTES,
    check(object) {
        const phase = at(object, "status", "phase");
        return phase === "Available" || phase === "Bound"
            ? ready(`PersistentVolume is ${phase}`)
            : waiting(`Waiting for PersistentVolume to be available (${phase ?? "no phase yet"})`);
    },
};

/** Ready when bound; a claim whose volume is made for its first pod, as soon as it waits for one. */
export const persistentVolumeClaim: Rule = {
    timeout: FIVE_MINUTES,
    async check(object, { get }) {
        const phase = at(object, "status", "phase");
        if (phase === "Bound") return ready("PersistentVolumeClaim is bound");
        const className = at(object, "spec", "storageClassName");
        const storageClass = className ? await get("storage.k8s.io/v1", "StorageClass", String(className)) : undefined;
        if (phase === "Pending" && storageClass?.volumeBindingMode === "WaitForFirstConsumer") {
            return ready("PersistentVolumeClaim waits for its first pod");
        }
        return waiting(`Waiting for PersistentVolumeClaim to be bound (${phase ?? "no phase yet"})`);
    },
};
