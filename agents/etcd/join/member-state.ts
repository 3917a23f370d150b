import type { Member } from "../../../clients/etcd/client";
import { describeMember, type Health, votersAmong } from "../../../clients/etcd/members";
import type { EtcdJoinPlan } from "./plan";

/** A member's files on this machine's disk. */
export interface Disk {
    /** Its write-ahead log exists: it has run here. */
    readonly hasData: boolean;
    /** ID of the member that wrote the data, as recorded in it. */
    readonly memberId?: string;
    /** The kubelet runs it, or is about to. */
    readonly hasStaticPod: boolean;
}

/** State of this machine in the etcd cluster. */
export type MemberState =
    | { readonly kind: "absent" }
    /** Members with this machine's name or URL but without data here, left by another machine or a killed run. */
    | { readonly kind: "stale"; readonly members: readonly Member[] }
    /** Added, but has not written its first data. */
    | { readonly kind: "starting"; readonly member: Member }
    /**
     * Its data is on this disk, but the cluster has another peer URL for it: that of the machine that had this disk
     * before.
     */
    | { readonly kind: "moved"; readonly member: Member }
    | { readonly kind: "joined"; readonly member: Member };

/** @throws if the state needs a manual decision */
export function memberState(
    { name, peerUrl, directories }: Pick<EtcdJoinPlan, "name" | "peerUrl" | "directories">,
    members: readonly Member[],
    { hasData, memberId, hasStaticPod }: Disk,
): MemberState {
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
                    "The member was removed, or the data is from another cluster. " +
                    `To join as a new member, move ${directories.data} and the static pod in ${directories.staticPods} away`,
            );
        }
        return { kind: "joined", member: here };
    }
    if (namesakes.length === 0) {
        return { kind: "absent" };
    }
    // Without a static pod no member can run here. And a member that published its name has written data.
    const isStarting = hasStaticPod && here !== undefined && !here.name;
    return isStarting ? { kind: "starting", member: here } : { kind: "stale", members: namesakes };
}

/**
 * Why a member that lost its data must not be removed now, or undefined.
 *
 * Of n voters, a majority must agree to the removal and to everything after it. The removed member does not count,
 * whatever it reports.
 */
export function removalProblem(members: readonly Member[], stale: Member, { healthy, problems }: Health) {
    if (stale.isLearner) {
        return undefined;
    }
    const voters = votersAmong(members);
    const needed = Math.floor(voters.length / 2) + 1;
    const left = voters.filter(({ ID }) => ID !== stale.ID && healthy.has(ID)).length;
    if (left >= needed) {
        return undefined;
    }
    return (
        `removing ${describeMember(stale)} needs ${needed} healthy voters among the other ${voters.length - 1}, ` +
        `found ${left}: ${problems.join("; ")}`
    );
}
