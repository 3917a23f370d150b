import { at, numberAt } from "../object";
import { conditionOf, describeCondition, hasCondition } from "./controller";
import { failed, type Rule, ready, TEN_MINUTES, waiting } from "./readiness";

/** Ready when it has run to its end. */
export const job: Rule = {
    timeout: TEN_MINUTES,
    pods: ({ metadata }) => (metadata?.uid ? { "batch.kubernetes.io/controller-uid": metadata.uid } : undefined),
    check(object) {
        if (at(object, "spec", "suspend") === true) return ready("Job is suspended");
        if (hasCondition(object, "Complete")) return ready("Job completed");
        const failure = conditionOf(object, "Failed");
        if (failure?.status === "True") return failed("Job failed", describeCondition(failure));
        const wanted = Number(at(object, "spec", "completions") ?? 1);
        return waiting(`Waiting for Job to complete: ${numberAt(object, "status", "succeeded")}/${wanted} succeeded`);
    },
};
