import { numberAt } from "../object";
import { isObserved, podLabels } from "./controller";
import { type Rule, ready, TEN_MINUTES, waiting } from "./readiness";

/** Ready when every node that should have a pod has one of this generation, available. */
export const daemonSet: Rule = {
    timeout: TEN_MINUTES,
    pods: podLabels,
    check(object) {
        if (!isObserved(object)) return waiting("[1/2] Waiting for the DaemonSet controller to see the change");
        const desired = numberAt(object, "status", "desiredNumberScheduled");
        const updated = numberAt(object, "status", "updatedNumberScheduled");
        if (updated < desired) return waiting(`[1/2] Waiting for DaemonSet rollout: ${updated}/${desired} updated`);
        const available = numberAt(object, "status", "numberAvailable");
        const count = `${available}/${desired} available`;
        return available < desired
            ? waiting(`[2/2] Waiting for DaemonSet pods: ${count}`)
            : ready(`DaemonSet rollout complete: ${count}`);
    },
};
