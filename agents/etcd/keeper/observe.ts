import type { EtcdClient, Member } from "../../../clients/etcd/client";
import { describeError } from "../../../clients/kubernetes/api-error";

/** State of the cluster's etcd at one moment. */
export interface Observation {
    /** In hexadecimal, like all IDs here. */
    readonly clusterId: string;
    readonly revision: number;
    readonly members: readonly MemberState[];
    readonly alarms: readonly Alarm[];
}

export interface MemberState {
    readonly id: string;
    /** Empty until its first start. */
    readonly name: string;
    readonly isLearner: boolean;
    readonly isLeader: boolean;
    readonly clientUrl?: string;
    /** What is wrong with it. Everything else is unknown then. */
    readonly problem?: string;
    readonly version?: string;
    /** Size of the store's file in bytes. */
    readonly dbSize: number;
    /** Bytes of the file that hold data; the rest is free pages. */
    readonly dbSizeInUse: number;
    /** Bytes at which it stops accepting writes. */
    readonly quota: number;
}

interface Alarm {
    /** Name of the member that raised it. */
    readonly member: string;
    readonly memberId: string;
    readonly alarm: "NOSPACE" | "CORRUPT";
}

/** @throws EtcdError if no quorum answers through the endpoint */
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
        return { ...unknown, problem: "it has never started" };
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
            ...(leader === "0" && { problem: "it has no leader" }),
            version,
            dbSize: Number(status.dbSize),
            dbSizeInUse: Number(status.dbSizeInUse),
            quota: Number(status.dbSizeQuota ?? 0),
        };
    } catch (error) {
        return { ...unknown, problem: describeError(error) };
    }
}

/** An ID in hexadecimal, as etcd's tools print it; etcd's JSON has it in decimal. */
export function hexId(id: string): string {
    return BigInt(id).toString(16);
}

export function decimalId(hex: string): string {
    return BigInt(`0x${hex}`).toString();
}
