import type { AdmissionProblem } from "../../../components/admission/judge";
import { ifKnown } from "../fact";
import type { ClusterFacts } from "../facts";
import { critical, type Finding, warning } from "../finding";

/** What keeps the control plane from writing: webhooks, policies, quotas and the like. Much else comes of it. */
export function judgeAdmission({ admission }: ClusterFacts): Finding[] {
    return (ifKnown(admission) ?? []).map(judgeProblem);
}

function judgeProblem({ effect, message, advice }: AdmissionProblem): Finding {
    const sentence = `${upper(message).replace(/\.$/, "")}.`;
    // Without a full stop: it may end with a command to copy.
    const what = upper(advice);
    switch (effect) {
        case "blocks":
            return critical("admission-blocked", sentence, what);
        case "limits":
            return warning("admission-limits", sentence, what);
        case "alters":
            return warning("admission-alters", sentence, what);
        case "risk":
            return warning("admission-risk", sentence, what);
    }
}

function upper(text: string): string {
    return text.slice(0, 1).toUpperCase() + text.slice(1);
}
