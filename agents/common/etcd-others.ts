import type { Member } from "./etcd-client";
import { describeMember, type Health } from "./etcd-members";

/** Why this member must not be stopped now, or undefined: every other one has to be a healthy voter. */
export function othersProblem(name: string, members: readonly Member[], { healthy, problems }: Health) {
    const others = members.filter((member) => member.name !== name);
    if (others.length === members.length) {
        return `${name} is none of the cluster's members: ${members.map(describeMember).join(", ")}`;
    }
    const learner = others.find(({ isLearner }) => isLearner);
    if (learner !== undefined) {
        return `${describeMember(learner)} is still a learner`;
    }
    const away = others.filter(({ ID }) => !healthy.has(ID));
    return away.length === 0
        ? undefined
        : `${away.map(describeMember).join(", ")} must be healthy first: ${problems.join("; ")}`;
}
