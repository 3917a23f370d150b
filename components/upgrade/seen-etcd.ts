import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../../agents/common/api-client";
import { ifFound } from "../../agents/common/api-error";
import { type MembersStatus, statusConfigMap } from "../../agents/etcd-keeper/status";
import type { RunningEtcd } from "../cluster/upgrade-checks";
import { lacks, type Workload } from "./wholeness";

const system = "namespaces/kube-system";
const keeper = "etcd-keeper";

/** Seconds: the keeper looks twice a minute, and what it said of an etcd that has just been started anew may be old. */
export const keeperSeconds = 90;

const lookMilliseconds = 2_000;

/** etcd as its keeper saw it last. */
export interface SeenEtcd {
    readonly members: readonly RunningEtcd[];
    /** What is wrong with all of it, in words. */
    readonly troubles: readonly string[];
}

/** The status may be old: the keeper tells of changes alone, and so it has to be there. */
export async function seenEtcd(api: ApiClient): Promise<SeenEtcd> {
    const [status, deployment] = await Promise.all([
        membersStatus(api),
        ifFound(api.call<Workload>(`/apis/apps/v1/${system}/deployments/${keeper}`)),
    ]);
    const isSilent = status?.members === undefined;
    const { alarms = [], problem } = status ?? {};
    return {
        members: membersOf(status),
        troubles: [
            ...alarms.map(({ alarm, member }) => `the alarm ${alarm} of ${member}`),
            ...(problem === undefined ? [] : [problem]),
            ...(isSilent ? [`no word of ${keeper} (ConfigMap ${statusConfigMap} in kube-system)`] : []),
            // Another one is told of by that it has said nothing.
            ...(deployment === undefined ? [] : lacks([deployment], [keeper])),
        ],
    };
}

/** Waits until its keeper has no complaint. Whether it came to that is for who looks then. */
export async function waitUntilWell(api: ApiClient, seconds: number): Promise<void> {
    const deadline = Date.now() + seconds * 1000;
    const isWell = ({ members, troubles }: SeenEtcd) =>
        troubles.length === 0 && members.every(({ problem }) => problem === undefined);
    while (!isWell(await seenEtcd(api)) && Date.now() < deadline) {
        await sleep(lookMilliseconds);
    }
}

/** The members as etcd's keeper saw them last. */
export async function etcdMembers(api: ApiClient): Promise<readonly RunningEtcd[]> {
    return membersOf(await membersStatus(api));
}

async function membersStatus(api: ApiClient): Promise<Partial<MembersStatus> | undefined> {
    const path = `/api/v1/${system}/configmaps/${statusConfigMap}`;
    const status = await ifFound(api.call<{ data?: Record<string, string> }>(path));
    return status && JSON.parse(status.data?.members ?? "{}");
}

function membersOf({ members = [] }: Partial<MembersStatus> = {}): RunningEtcd[] {
    return members.map(({ name, version, problem }) => ({
        name,
        ...(version !== undefined && { version }),
        ...(problem !== undefined && { problem }),
    }));
}
