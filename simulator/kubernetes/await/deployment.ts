import { at, type KubernetesObject, numberAt } from "../object";
import { conditionOf, describeCondition, isObserved, podLabels } from "./controller";
import { type Rule, ready, TEN_MINUTES, waiting } from "./readiness";

/** Ready when all replicas are of the new generation and available, and no old one is left. */
export const deployment: Rule = {
    timeout: TEN_MINUTES,
    pods: podLabels,
    check(object) {
        const wanted = Number(at(object, "spec", "replicas") ?? 1);
        const status = (name: string) => numberAt(object, "status", name);
        const isUpdated = isObserved(object) && status("updatedReplicas") >= wanted;
        const isAlone = status("replicas") <= status("updatedReplicas");
        const available = status("availableReplicas");
        if (isUpdated && isAlone && available >= wanted) return ready("Deployment initialization complete");
        const count = `${isUpdated && isAlone ? available : 0}/${wanted} Pods available`;
        return waiting(`Waiting for app ReplicaSet to be available (${count})`, ...problems(object));
    },
};

function problems(object: KubernetesObject): string[] {
    const bad = ["Available", "Progressing"].map((type) => conditionOf(object, type));
    const words = bad.flatMap((condition) => (condition?.status === "False" ? [describeCondition(condition)] : []));
    return [...words, "Minimum number of live Pods was not attained"];
}
