import { setTimeout as sleep } from "node:timers/promises";
import { type MembersStatus, statusConfigMap } from "../../agents/etcd/keeper/status";
import { isImage } from "../../agents/etcd/member/image";
import { etcdImageOf, isStandbyCommand } from "../../agents/etcd/member/runner";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import { isOlderMinor } from "../../clients/kubernetes/minor";
import type { ConfigMap } from "../../clients/kubernetes/objects";
import type { Machine } from "../../cluster/keys/credentials";
import { type EtcdStart, etcdStaticPod } from "../../cluster/manifests/etcd/member";
import { type Cluster, possibleMembers } from "../../cluster/model";
import type { RunningEtcd } from "../../cluster/upgrades/checks";
import { minorOf, versionOfImage } from "../../cluster/upgrades/version";
import { lacks, type Workload } from "./rollout-health";

/** An etcd member as defined by its static pod. */
export interface RunningMember {
    readonly node: string;
    readonly image: string;
    readonly command: readonly string[];
    /** Digest of the image that it runs: `sha256:…`. @default - unknown */
    readonly digest?: string;
}

/** How a member must change. */
export interface EtcdChange {
    readonly node: string;
    readonly start: EtcdStart;
    /** Digest of the image that it runs. @default - unknown */
    readonly digest?: string;
    /** In words, for a preview. */
    readonly text: string;
}

/**
 * Members whose image or flags differ from the desired ones, in the order of the controllers, the arbiter last.
 *
 * @param unfinished - nodes whose member an earlier `up` is still changing
 */
export function etcdChanges(
    cluster: Cluster,
    running: readonly RunningMember[],
    unfinished: readonly string[] = [],
): EtcdChange[] {
    return possibleMembers(cluster).flatMap((node) => {
        const member = running.find((each) => each.node === node);
        const change = member && changeOf(cluster, member, unfinished.includes(node));
        return change ? [change] : [];
    });
}

/** Address that a member advertises to its peers. @throws if its flags have none */
export function machineOf({ node, command }: RunningMember): Machine {
    const url = flagOf(command, "initial-advertise-peer-urls");
    if (!URL.canParse(url)) {
        throw new Error(`the etcd of ${node} must have --initial-advertise-peer-urls=<URL> (got ${url || "none"})`);
    }
    return { name: flagOf(command, "name"), address: new URL(url).hostname };
}

function changeOf(cluster: Cluster, member: RunningMember, isUnfinished: boolean): EtcdChange | undefined {
    const { node, image, command, digest } = member;
    const start = {
        machine: machineOf(member),
        // A member keeps its initial value.
        initialCluster: flagOf(command, "initial-cluster"),
        initialClusterState: flagOf(command, "initial-cluster-state") as EtcdStart["initialClusterState"],
    };
    const { containers } = etcdStaticPod(cluster, start).spec as {
        containers: [{ image: string; command: string[] }];
    };
    const [desired] = containers;
    const [from, to] = [etcdImageOf(image, command), etcdImageOf(desired.image, desired.command)];
    const [removed, added] = [without(command, desired.command), without(desired.command, command)];
    const differences = [
        ...(isImage(from, to) ? [] : [versionDifference(from, to)]),
        ...podDifference(command, desired.command, removed.some(isNoFlag) || added.some(isNoFlag)),
        ...removed.filter((word) => !isNoFlag(word)).map((flag) => `${flag} is removed`),
        ...added.filter((word) => !isNoFlag(word)).map((flag) => `${flag} is added`),
    ];
    if (differences.length === 0 && isUnfinished) differences.push("an earlier change of it is still in progress");
    return differences.length === 0
        ? undefined
        : { node, start, digest, text: `etcd of ${node}: ${differences.join(", ")}` };
}

function versionDifference(from: string, to: string): string {
    const [before, after] = [versionOfImage(from), versionOfImage(to)];
    if (before === undefined || after === undefined || !isOlderMinor(after, before)) {
        return `${nameOf(from)} becomes ${nameOf(to)}`;
    }
    return `${before} goes back to ${after}, after all members store as ${minorOf(after)}`;
}

function without(words: readonly string[], others: readonly string[]): string[] {
    return words.filter((word) => !others.includes(word));
}

/** The program, and shell commands before it. */
function isNoFlag(word: string): boolean {
    return !word.startsWith("--");
}

/** Change of the pod around etcd, in words. */
function podDifference(command: readonly string[], desired: readonly string[], isAnother: boolean): string[] {
    if (isStandbyCommand(command) !== isStandbyCommand(desired)) {
        return [
            isStandbyCommand(desired)
                ? "it moves to a pod managed by the API"
                : "it moves out of the pod managed by the API",
        ];
    }
    return isAnother ? ["its pod changes"] : [];
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

/** Seconds: the keeper checks twice a minute, and its report on an etcd that has just restarted may be outdated. */
export const keeperSeconds = 90;

const pollMilliseconds = 2_000;

/** The last state of etcd reported by its keeper. */
export interface EtcdReport {
    readonly members: readonly RunningEtcd[];
    /** Problems of etcd as a whole, in words. */
    readonly troubles: readonly string[];
}

/** The status may be outdated: the keeper only reports changes, so it must be running. */
export async function readEtcdReport(api: ApiClient): Promise<EtcdReport> {
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
            ...(isSilent ? [`no report from ${keeper} (ConfigMap ${statusConfigMap} in kube-system)`] : []),
            // If it is missing, that is already covered by the missing report.
            ...(deployment === undefined ? [] : lacks([deployment], [keeper])),
        ],
    };
}

/** Waits until the keeper reports no problems. The caller decides if it still does. */
export async function waitUntilWell(api: ApiClient, seconds: number): Promise<void> {
    const deadline = Date.now() + seconds * 1000;
    const isWell = ({ members, troubles }: EtcdReport) =>
        troubles.length === 0 && members.every(({ problem }) => problem === undefined);
    while (!isWell(await readEtcdReport(api)) && Date.now() < deadline) {
        await sleep(pollMilliseconds);
    }
}

/** The members as last reported by etcd's keeper. */
export async function etcdMembers(api: ApiClient): Promise<readonly RunningEtcd[]> {
    return membersOf(await membersStatus(api));
}

async function membersStatus(api: ApiClient): Promise<Partial<MembersStatus> | undefined> {
    const path = `/api/v1/${system}/configmaps/${statusConfigMap}`;
    const status = await ifFound(api.call<ConfigMap>(path));
    return status && JSON.parse(status.data?.members ?? "{}");
}

function membersOf({ members = [] }: Partial<MembersStatus> = {}): RunningEtcd[] {
    return members.map(({ name, version, problem }) => ({
        name,
        ...(version !== undefined && { version }),
        ...(problem !== undefined && { problem }),
    }));
}
