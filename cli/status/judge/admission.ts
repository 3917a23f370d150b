import { ifKnown } from "../fact";
import type { ClusterFacts } from "../facts";
import { critical, type Finding, warning } from "../finding";

const codes = {
    blocks: "admission-blocked",
    limits: "admission-limits",
    alters: "admission-alters",
    risk: "admission-risk",
} as const;

/** What keeps the control plane from writing: webhooks, policies, quotas and the like. Much else comes of it. */
export function judgeAdmission({ admission }: ClusterFacts): Finding[] {
    return (ifKnown(admission) ?? []).map(({ effect, message, advice }) => {
        const report = effect === "blocks" ? critical : warning;
        return report(codes[effect], sentence(message), upper(advice));
    });
}

function sentence(text: string): string {
    return `${upper(text).replace(/\.$/, "")}.`;
}

/** Without a full stop: it may end with a command to copy. */
function upper(text: string): string {
    return text.slice(0, 1).toUpperCase() + text.slice(1);
}
