import { at, type KubernetesObject, numberAt } from "../object";
import { conditionOf, describeCondition, isObserved, podLabels } from "./controller";
import { type Rule, ready, TEN_MINUTES, waiting } from "./readiness";

/** Ready when all replicas are of the new generation and available, and no old one is left. */
export const deployment: Rule = {
    timeout: TEN_MINUTES,
    pods: podLabels,
    check(object) {
        if (!isObserved(object)) return waiting("[1/2] Waiting for the Deployment controller to see the change");
        const wanted = Number(at(object, "spec", "replicas") ?? 1);
        const updated = numberAt(object, "status", "updatedReplicas");
        const reasons = problems(object);
        if (updated < wanted) {
            return waiting(`[1/2] Waiting for Deployment rollout: ${updated}/${wanted} updated`, ...reasons);
        }
        const old = numberAt(object, "status", "replicas") - updated;
        if (old > 0) return waiting(`[1/2] Waiting for Deployment rollout: ${old} old pods to go`, ...reasons);
        const available = numberAt(object, "status", "availableReplicas");
        const count = `${available}/${wanted} available`;
        return available < wanted
            ? waiting(`[2/2] Waiting for Deployment pods: ${count}`, ...reasons)
            : ready(`Deployment rollout complete: ${count}`);
    },
};

function problems(object: KubernetesObject): string[] {
    const bad = ["Available", "Progressing"].map((type) => conditionOf(object, type));
    return bad.flatMap((condition) => (condition?.status === "False" ? [describeCondition(condition)] : []));
}
