import type { Member } from "../../../clients/etcd/client";
import { describeMember, type Health, votersAmong } from "../../../clients/etcd/members";
import type { EtcdJoinPlan } from "./plan";

/** What of a member is on this machine's disk. */
export interface Disk {
    /** It ran here: its write-ahead log is here. */
    readonly hasData: boolean;
    /** ID of the member whose data they are, as they tell. */
    readonly memberId?: string;
    /** The kubelet runs it, or is about to. */
    readonly hasStaticPod: boolean;
}

/** How this machine stands with the cluster. */
export type Standing =
    | { readonly kind: "absent" }
    /** Members of this machine's name or URL that no data here belongs to: another machine had them, or a killed run. */
    | { readonly kind: "stale"; readonly members: readonly Member[] }
    /** Added, and yet to write its first data. */
    | { readonly kind: "starting"; readonly member: Member }
    /** Its data are here, but the cluster looks for it elsewhere: where the machine was that had this disk before. */
    | { readonly kind: "moved"; readonly member: Member }
    | { readonly kind: "joined"; readonly member: Member };

/** @throws when only a person can tell what to do */
export function standing(
    { name, peerUrl, directories }: Pick<EtcdJoinPlan, "name" | "peerUrl" | "directories">,
    members: readonly Member[],
    { hasData, memberId, hasStaticPod }: Disk,
): Standing {
    const here = members.find((member) => member.peerURLs?.includes(peerUrl));
    const namesakes = members.filter((member) => member === here || member.name === name);
    if (hasData) {
        const moved = members.find(({ ID }) => ID === memberId);
        if (here === undefined && moved?.name === name) {
            return { kind: "moved", member: moved };
        }
        if (here === undefined) {
            const others = members.map(describeMember).join(", ");
            throw new Error(
                `${directories.data} must be the data of a member at ${peerUrl}, but the cluster has only ${others}. ` +
                    "The member was removed, or this is another cluster. " +
                    `To join anew, move ${directories.data} and the static pod in ${directories.staticPods} away`,
            );
        }
        return { kind: "joined", member: here };
    }
    if (namesakes.length === 0) {
        return { kind: "absent" };
    }
    // Without a static pod nothing of it can run here. And who published a name once wrote data.
    const isStarting = hasStaticPod && here !== undefined && !here.name;
    return isStarting ? { kind: "starting", member: here } : { kind: "stale", members: namesakes };
}

/**
 * Why a member that lost its data must not be removed now, or undefined.
 *
 * Of n voters, a majority has to agree to the removal and to all that follows; the one that goes does
 * not count, whatever it says.
 */
export function removalProblem(members: readonly Member[], gone: Member, { healthy, problems }: Health) {
    if (gone.isLearner) {
        return undefined;
    }
    const voters = votersAmong(members);
    const needed = Math.floor(voters.length / 2) + 1;
    const left = voters.filter(({ ID }) => ID !== gone.ID && healthy.has(ID)).length;
    if (left >= needed) {
        return undefined;
    }
    return (
        `removing ${describeMember(gone)} needs ${needed} healthy voters of ${voters.length} beside it, ` +
        `there are ${left}: ${problems.join("; ")}`
    );
}
