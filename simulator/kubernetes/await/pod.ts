import { at } from "../object";
import { hasCondition } from "./controller";
import { messagesOf } from "./pod-messages";
import { failed, type Rule, ready, TEN_MINUTES, waiting } from "./readiness";

/** Ready when its containers are, or when it has run to its end. */
export const pod: Rule = {
    timeout: TEN_MINUTES,
    check(object) {
        const phase = at(object, "status", "phase") ?? "Pending";
        if (phase === "Succeeded") return ready("Pod succeeded");
        if (hasCondition(object, "Ready")) return ready("Pod is ready");
        const problems = messagesOf(object);
        if (phase === "Failed") return failed("Pod failed", ...problems);
        return waiting(`Waiting for Pod to be ready (${phase})`, ...problems);
    },
};
