import { describeError } from "../common/api-error";
import type { EtcdClient, Member } from "../common/etcd-client";
import { describeMember } from "./standing";

/** Voters that answer and know of a leader, by ID; the others with what is wrong with them. */
export interface Health {
    readonly healthy: ReadonlySet<string>;
    readonly problems: readonly string[];
}

export async function voterHealth(client: EtcdClient, members: readonly Member[]): Promise<Health> {
    const voters = members.filter(({ isLearner }) => !isLearner);
    const problems = await Promise.all(voters.map((voter) => voterProblem(client, voter)));
    return {
        healthy: new Set(voters.filter((_, index) => problems[index] === undefined).map(({ ID }) => ID)),
        problems: problems.filter((problem) => problem !== undefined),
    };
}

/**
 * Why a member must not be removed now, or undefined.
 *
 * Of n voters, a majority has to agree to the removal and to all that follows; the one that goes does
 * not count, whatever it says.
 */
export function removalProblem(members: readonly Member[], gone: Member, { healthy, problems }: Health) {
    if (gone.isLearner) {
        return undefined;
    }
    const voters = members.filter(({ isLearner }) => !isLearner);
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

async function voterProblem(client: EtcdClient, voter: Member): Promise<string | undefined> {
    const [url] = voter.clientURLs ?? [];
    if (url === undefined) {
        return `${describeMember(voter)} never started`;
    }
    try {
        const { header, leader = "0" } = await client.status(url);
        if (header.member_id !== voter.ID) {
            return `${describeMember(voter)}: another member answers at ${url}`;
        }
        return leader === "0" ? `${describeMember(voter)} knows of no leader` : undefined;
    } catch (error) {
        return describeError(error);
    }
}
