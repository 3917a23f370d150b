import { numberAt } from "../object";
import { isObserved, podLabels } from "./controller";
import { type Rule, ready, TEN_MINUTES, waiting } from "./readiness";

/**
 * Ready when every node that should have a pod has one of this generation, available. In the words of kstatus, by which
 * the official plugin judges DaemonSets: one that never becomes ready fails without a word of its pods.
 */
export const daemonSet: Rule = {
    timeout: TEN_MINUTES,
    pods: podLabels,
    isSilentError: true,
    check(object) {
        const status = (name: string) => numberAt(object, "status", name);
        if (!isObserved(object)) {
            const generation = numberAt(object, "metadata", "generation");
            const latest = `but latest observed generation is ${status("observedGeneration")}`;
            return waiting(`DaemonSet generation is ${generation}, ${latest}`);
        }
        const desired = status("desiredNumberScheduled");
        const counts = {
            Current: status("currentNumberScheduled"),
            Updated: status("updatedNumberScheduled"),
            Available: status("numberAvailable"),
            Ready: status("numberReady"),
        };
        const [less] = Object.entries(counts).filter(([, count]) => count < desired);
        if (less) return waiting(`${less[0]}: ${less[1]}/${desired}`);
        return ready(`All replicas scheduled as expected. Replicas: ${desired}`);
    },
};
