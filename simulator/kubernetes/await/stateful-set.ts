import { at, numberAt } from "../object";
import { isObserved, podLabels } from "./controller";
import { type Rule, ready, TEN_MINUTES, waiting } from "./readiness";

/** Ready when all replicas are of the new revision (those above the partition, if any) and ready. */
export const statefulSet: Rule = {
    timeout: TEN_MINUTES,
    pods: podLabels,
    check(object) {
        if (!isObserved(object)) return waiting("[1/2] Waiting for the StatefulSet controller to see the change");
        const wanted = Number(at(object, "spec", "replicas") ?? 1);
        const partition = numberAt(object, "spec", "updateStrategy", "rollingUpdate", "partition");
        const toUpdate = Math.max(wanted - partition, 0);
        const updated = numberAt(object, "status", "updatedReplicas");
        if (updated < toUpdate) return waiting(`[1/2] Waiting for StatefulSet rollout: ${updated}/${toUpdate} updated`);
        const readyCount = numberAt(object, "status", "readyReplicas");
        const count = `${readyCount}/${wanted} ready`;
        return readyCount < wanted
            ? waiting(`[2/2] Waiting for StatefulSet pods: ${count}`)
            : ready(`StatefulSet rollout complete: ${count}`);
    },
};
