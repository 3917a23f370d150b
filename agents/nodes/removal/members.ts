import type { Member } from "../../../clients/etcd/client";
import { describeMember, type Health, votersAmong } from "../../../clients/etcd/members";
import { isNamed } from "./nodes";
import { arbiterPool, controllerPool, type NodeRemovalPlan } from "./plan";

/** The members of controllers and of the arbiter that are no longer desired. One that never started has no name. */
export function leavingMembers(
    { cluster, desired, etcd }: Pick<NodeRemovalPlan, "cluster" | "desired" | "etcd">,
    members: readonly Member[],
): Member[] {
    return members.filter(({ name, peerURLs = [] }) =>
        name
            ? [controllerPool, arbiterPool].some((pool) => isNamed(cluster, pool, name)) && !desired.includes(name)
            : !peerURLs.some((url) => etcd.peerUrls.includes(url)),
    );
}

/**
 * The next one to remove: learners, which have no vote, then members that are already lost, so that the fewest votes
 * are missed.
 */
export function nextToGo(leaving: readonly Member[], { healthy }: Health): Member | undefined {
    const rank = ({ ID, isLearner }: Member) => (isLearner ? 0 : healthy.has(ID) ? 2 : 1);
    return [...leaving].sort((a, b) => rank(a) - rank(b) || (b.name ?? "").localeCompare(a.name ?? ""))[0];
}

/**
 * Why a member must not be removed now, or undefined.
 *
 * A majority must be healthy before, to agree to it, and after, among the rest. The removed member still has its data,
 * so its vote counts.
 */
export function departureProblem(members: readonly Member[], leaver: Member, { healthy, problems }: Health) {
    if (leaver.isLearner) {
        return undefined;
    }
    const voters = votersAmong(members);
    const left = voters.filter(({ ID }) => ID !== leaver.ID);
    const count = (some: readonly Member[]) => some.filter(({ ID }) => healthy.has(ID)).length;
    const lacks = (some: readonly Member[]) => count(some) < majority(some.length);
    if (left.length > 0 && !lacks(voters) && !lacks(left)) {
        return undefined;
    }
    return (
        `removing ${describeMember(leaver)} would leave ${count(left)} of ${left.length} voters healthy, ` +
        `but ${majority(left.length)} are needed: ${problems.join("; ")}`
    );
}

/** Why not all of these members can be removed, one after another, or undefined. */
export function departuresProblem(
    members: readonly Member[],
    leaving: readonly Member[],
    health: Health,
): string | undefined {
    const leaver = nextToGo(leaving, health);
    if (leaver === undefined) {
        return undefined;
    }
    const without = (some: readonly Member[]) => some.filter(({ ID }) => ID !== leaver.ID);
    return departureProblem(members, leaver, health) ?? departuresProblem(without(members), without(leaving), health);
}

function majority(voters: number): number {
    return Math.floor(voters / 2) + 1;
}
