import { describeError } from "../kubernetes/api-error";
import type { EtcdClient, Member } from "./client";

/** IDs of voters that answer and know a leader; problems of the others. */
export interface Health {
    readonly healthy: ReadonlySet<string>;
    readonly problems: readonly string[];
    /** ID of the leader, if a healthy voter knows one. */
    readonly leader?: string;
}

export function votersAmong(members: readonly Member[]): Member[] {
    return members.filter(({ isLearner }) => !isLearner);
}

/** @param milliseconds - for each answer. @default - the client's limit */
export async function voterHealth(
    client: EtcdClient,
    members: readonly Member[],
    milliseconds?: number,
): Promise<Health> {
    const states = await Promise.all(votersAmong(members).map((voter) => observeVoter(client, voter, milliseconds)));
    return {
        healthy: new Set(states.flatMap(({ ID, problem }) => (problem === undefined ? [ID] : []))),
        problems: states.flatMap(({ problem = [] }) => problem),
        leader: states.find(({ problem }) => problem === undefined)?.leader,
    };
}

/** `c-controller-1 (https://10.0.0.12:2380, learner)` */
export function describeMember({ ID, name, peerURLs = [], isLearner }: Member): string {
    return `${name || `unnamed ${BigInt(ID).toString(16)}`} (${peerURLs.join(" ")}${isLearner ? ", learner" : ""})`;
}

interface VoterState {
    readonly ID: string;
    readonly leader?: string;
    /** Its problem. */
    readonly problem?: string;
}

async function observeVoter(client: EtcdClient, voter: Member, milliseconds?: number): Promise<VoterState> {
    const { ID, clientURLs: [url] = [] } = voter;
    if (url === undefined) {
        return { ID, problem: `${describeMember(voter)} never started` };
    }
    try {
        const { header, leader = "0" } = await client.status(url, milliseconds);
        if (header.member_id !== ID) {
            return { ID, problem: `${describeMember(voter)}: another member answers at ${url}` };
        }
        return leader === "0" ? { ID, problem: `${describeMember(voter)} knows of no leader` } : { ID, leader };
    } catch (error) {
        return { ID, problem: describeError(error) };
    }
}

/** Why this member must not be stopped now, or undefined: all others have to be healthy voters. */
export function othersProblem(name: string, members: readonly Member[], { healthy, problems }: Health) {
    const others = members.filter((member) => member.name !== name);
    if (others.length === members.length) {
        return `${name} is not a member of the cluster: ${members.map(describeMember).join(", ")}`;
    }
    const learner = others.find(({ isLearner }) => isLearner);
    if (learner !== undefined) {
        return `${describeMember(learner)} is still a learner`;
    }
    const unhealthy = others.filter(({ ID }) => !healthy.has(ID));
    return unhealthy.length === 0
        ? undefined
        : `${unhealthy.map(describeMember).join(", ")} must be healthy first: ${problems.join("; ")}`;
}
