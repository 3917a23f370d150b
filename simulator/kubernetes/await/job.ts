import { at, numberAt } from "../object";
import { conditionOf, describeCondition, hasCondition } from "./controller";
import { failed, type Rule, ready, TEN_MINUTES, waiting } from "./readiness";

/** Ready when it has run to its end. */
export const job: Rule = {
    timeout: TEN_MINUTES,
    pods: ({ metadata }) => (metadata?.uid ? { "batch.kubernetes.io/controller-uid": metadata.uid } : undefined),
    check(object) {
        if (at(object, "spec", "suspend") === true) return ready("Job is suspended");
        if (hasCondition(object, "Complete")) return ready("Job ready");
        const { name, namespace } = object.metadata ?? {};
        const failure = conditionOf(object, "Failed");
        if (failure?.status === "True") {
            return failed(`Resource '${name}' was created but failed to initialize`, describeCondition(failure));
        }
        const fullName = namespace && namespace !== "default" ? `${namespace}/${name}` : name;
        if (!at(object, "status", "startTime")) return waiting(`Waiting for Job "${fullName}" to start`);
        const counts = ["Active", "Succeeded", "Failed"].map(
            (each) => `${each}: ${numberAt(object, "status", each.toLowerCase())}`,
        );
        return waiting(`Waiting for Job "${fullName}" to succeed (${counts.join(" | ")})`);
    },
};
