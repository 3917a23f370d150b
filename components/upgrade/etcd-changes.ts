import { setTimeout as sleep } from "node:timers/promises";
import { type MembersStatus, statusConfigMap } from "../../agents/etcd/keeper/status";
import { etcdImageOf, isStanding } from "../../agents/etcd/member/runner";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import type { Machine } from "../../cluster/keys/credentials";
import { type EtcdStart, etcdStaticPod } from "../../cluster/manifests/etcd/member";
import type { Cluster } from "../../cluster/model";
import type { RunningEtcd } from "../../cluster/upgrades/checks";
import { versionOfImage } from "../../cluster/upgrades/version";
import { lacks, type Workload } from "./rollout-health";

/** An etcd member as its static pod has it. */
export interface RunningMember {
    readonly node: string;
    readonly image: string;
    readonly command: readonly string[];
}

/** How a member is to run otherwise than it does. */
export interface EtcdChange {
    readonly node: string;
    readonly start: EtcdStart;
    /** In words, for who reads a preview. */
    readonly text: string;
}

/** The members that run with another image or other flags than they should, in the order of the controllers. */
export function etcdChanges(cluster: Cluster, running: readonly RunningMember[]): EtcdChange[] {
    return cluster.controllers.names.flatMap((node) => {
        const member = running.find((each) => each.node === node);
        const change = member && changeOf(cluster, member);
        return change ? [change] : [];
    });
}

/** Where a member is, as it tells its peers. @throws if its flags do not say */
export function machineOf({ node, command }: RunningMember): Machine {
    const url = flagOf(command, "initial-advertise-peer-urls");
    if (!URL.canParse(url)) {
        throw new Error(`the etcd of ${node} must have --initial-advertise-peer-urls=<URL>, got ${url || "none"}`);
    }
    return { name: flagOf(command, "name"), address: new URL(url).hostname };
}

function changeOf(cluster: Cluster, member: RunningMember): EtcdChange | undefined {
    const { node, image, command } = member;
    const start = {
        machine: machineOf(member),
        // How it began is its own for good.
        initialCluster: flagOf(command, "initial-cluster"),
        initialClusterState: flagOf(command, "initial-cluster-state") as EtcdStart["initialClusterState"],
    };
    const { containers } = etcdStaticPod(cluster, start).spec as {
        containers: [{ image: string; command: string[] }];
    };
    const [wanted] = containers;
    const [from, to] = [etcdImageOf(image, command), etcdImageOf(wanted.image, wanted.command)];
    const [gone, come] = [without(command, wanted.command), without(wanted.command, command)];
    const differences = [
        ...(from === to ? [] : [`${nameOf(from)} becomes ${nameOf(to)}`]),
        ...podDifference(command, wanted.command, gone.some(isNoFlag) || come.some(isNoFlag)),
        ...gone.filter((word) => !isNoFlag(word)).map((flag) => `${flag} goes`),
        ...come.filter((word) => !isNoFlag(word)).map((flag) => `${flag} comes`),
    ];
    return differences.length === 0 ? undefined : { node, start, text: `etcd of ${node}: ${differences.join(", ")}` };
}

function without(words: readonly string[], others: readonly string[]): string[] {
    return words.filter((word) => !others.includes(word));
}

/** The program, and what a shell is to do before it. */
function isNoFlag(word: string): boolean {
    return !word.startsWith("--");
}

/** What becomes of the pod around etcd, in words. */
function podDifference(command: readonly string[], wanted: readonly string[], isAnother: boolean): string[] {
    if (isStanding(command) !== isStanding(wanted)) {
        return [isStanding(wanted) ? "it gives way to a pod of the API" : "no pod of the API runs it any more"];
    }
    return isAnother ? ["its pod becomes another"] : [];
}

function nameOf(image: string): string {
    return versionOfImage(image) ?? image;
}

function flagOf(command: readonly string[], name: string): string {
    const prefix = `--${name}=`;
    return command.find((flag) => flag.startsWith(prefix))?.slice(prefix.length) ?? "";
}

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
