import { type EtcdAlarm, type EtcdFacts, type EtcdMemberFacts, type EtcdMemberStatus, known, unknown } from "../facts";

/** etcd's 64-bit numbers as strings, both in its gateway's JSON and, after parsing, in etcdctl's. */
export interface Header {
    readonly member_id: string;
}

export interface MemberList {
    readonly members: readonly {
        readonly ID: string;
        readonly name?: string;
        readonly isLearner?: boolean;
        readonly peerURLs?: readonly string[];
    }[];
}

export interface MemberStatus {
    readonly header: Header;
    readonly version: string;
    readonly dbSize?: string;
    readonly dbSizeInUse?: string;
    readonly dbSizeQuota?: string;
    readonly leader?: string;
    readonly errors?: readonly string[];
}

/** An alarm type, as one of etcd's two numbers or by name. */
export interface AlarmList {
    readonly alarms?: readonly { readonly memberID: string; readonly alarm?: string }[];
}

const ALARMS: Readonly<Record<string, string>> = { "1": "NOSPACE", "2": "CORRUPT" };

/** Parses etcd's JSON with all numbers as strings: member IDs exceed the range of JavaScript numbers. */
export function parseEtcdJson<T>(text: string): T {
    return JSON.parse(text.replace(/("\w+":)(\d+)(?=[,}\]])/g, '$1"$2"'));
}

export function etcdFacts(
    { members }: MemberList,
    statuses: readonly MemberStatus[],
    { alarms = [] }: AlarmList,
    whyNot: (member: string) => string,
): EtcdFacts {
    return {
        members: members
            .map(({ ID, name, isLearner = false, peerURLs: [peerUrl] = [] }): EtcdMemberFacts => {
                const address = peerUrl && URL.parse(peerUrl)?.hostname.replace(/^\[|\]$/g, "");
                const status = statuses.find(({ header }) => header.member_id === ID);
                const shown = name || `not started yet (${hex(ID)})`;
                const facts = status ? known(statusOf(status)) : unknown<EtcdMemberStatus>(whyNot(shown));
                return { name: shown, id: hex(ID), isLearner, ...(address && { address }), status: facts };
            })
            .sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true })),
        alarms: alarms.map(
            ({ memberID, alarm = "0" }): EtcdAlarm => ({ member: hex(memberID), type: ALARMS[alarm] ?? alarm }),
        ),
    };
}

function statusOf({ version, dbSize, dbSizeInUse, dbSizeQuota, leader, errors = [] }: MemberStatus): EtcdMemberStatus {
    return {
        version,
        leader: leader === undefined || leader === "0" ? undefined : hex(leader),
        dbSize: Number(dbSize ?? 0),
        dbSizeInUse: Number(dbSizeInUse ?? 0),
        dbQuota: dbSizeQuota === undefined ? undefined : Number(dbSizeQuota),
        // Alarms are reported separately.
        errors: errors.filter((error) => !error.includes("alarm:")),
    };
}

function hex(id: string): string {
    return BigInt(id).toString(16);
}
