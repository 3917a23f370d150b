import type { EtcdClient, Member } from "../../../clients/etcd/client";
import { describeError } from "../../../clients/kubernetes/api-error";

/** What the cluster's etcd is like at one moment. */
export interface Observation {
    /** In hexadecimal, as all IDs here. */
    readonly clusterId: string;
    readonly revision: number;
    readonly members: readonly MemberState[];
    readonly alarms: readonly Alarm[];
}

export interface MemberState {
    readonly id: string;
    /** Empty until it has started for the first time. */
    readonly name: string;
    readonly isLearner: boolean;
    readonly isLeader: boolean;
    readonly clientUrl?: string;
    /** What is wrong with it. The rest is unknown then. */
    readonly problem?: string;
    readonly version?: string;
    /** Bytes of the store's file. */
    readonly dbSize: number;
    /** Bytes of it that are data; the rest is free pages. */
    readonly dbSizeInUse: number;
    /** Bytes at which it stops taking writes. */
    readonly quota: number;
}

interface Alarm {
    /** Name of the member that raised it. */
    readonly member: string;
    readonly memberId: string;
    readonly alarm: "NOSPACE" | "CORRUPT";
}

/** @throws EtcdError when no majority answers through the endpoint */
export async function observe(client: EtcdClient, endpoint: string): Promise<Observation> {
    const [own, listed, raised] = await Promise.all([
        client.status(endpoint),
        client.members(),
        client.alarms(endpoint),
    ]);
    const members = await Promise.all(listed.map((member) => memberState(client, member)));
    return {
        clusterId: hexId(own.header.cluster_id),
        revision: Number(own.header.revision),
        members,
        alarms: raised.map(({ memberID, alarm }) => {
            const memberId = hexId(memberID);
            return { member: members.find(({ id }) => id === memberId)?.name ?? memberId, memberId, alarm };
        }),
    };
}

async function memberState(client: EtcdClient, member: Member): Promise<MemberState> {
    const { ID, name = "", isLearner = false, clientURLs: [clientUrl] = [] } = member;
    const id = hexId(ID);
    const unknown = { id, name, isLearner, isLeader: false, clientUrl, dbSize: 0, dbSizeInUse: 0, quota: 0 };
    if (clientUrl === undefined) {
        return { ...unknown, problem: "it never started" };
    }
    try {
        const status = await client.status(clientUrl);
        const { header, leader = "0", version } = status;
        if (header.member_id !== ID) {
            return { ...unknown, problem: `another member answers at ${clientUrl}` };
        }
        return {
            ...unknown,
            isLeader: leader === ID,
            ...(leader === "0" && { problem: "it knows of no leader" }),
            version,
            dbSize: Number(status.dbSize),
            dbSizeInUse: Number(status.dbSizeInUse),
            quota: Number(status.dbSizeQuota ?? 0),
        };
    } catch (error) {
        return { ...unknown, problem: describeError(error) };
    }
}

/** An ID as etcd's own tools print it: its JSON has it as a decimal number. */
export function hexId(id: string): string {
    return BigInt(id).toString(16);
}

export function decimalId(hex: string): string {
    return BigInt(`0x${hex}`).toString();
}
