import type { MemberState, Observation } from "./observe";

/** A smaller store is not worth stopping a member for. Unit: bytes. Source, with the share: OpenShift's operator. */
const minBytes = 100 * 2 ** 20;
const minShare = 0.45;

/** Why no member may be stopped for its defragmentation now, or undefined. */
export function defragmentationProblem({ members }: Pick<Observation, "members">): string | undefined {
    const problems = members.filter(({ problem }) => problem !== undefined);
    return problems.length === 0
        ? undefined
        : problems.map(({ name, id, problem }) => `${name || id}: ${problem}`).join("; ");
}

/** The member to defragment next: one with much to gain, and the leader after all others. */
export function mostFragmented(members: readonly MemberState[], limits = { minBytes, minShare }) {
    return leaderLast(members).find(
        ({ dbSize, dbSizeInUse }) => dbSize >= limits.minBytes && (dbSize - dbSizeInUse) / dbSize >= limits.minShare,
    );
}

/** The leader's stop is everyone's. */
export function leaderLast(members: readonly MemberState[]): MemberState[] {
    return [...members].sort((a, b) => Number(a.isLeader) - Number(b.isLeader) || a.name.localeCompare(b.name));
}
