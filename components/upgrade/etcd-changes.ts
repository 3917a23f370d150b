import { etcdImageOf, isStanding } from "../../agents/common/member-runner";
import type { Machine } from "../cluster/credentials";
import type { Cluster } from "../cluster/model";
import { versionOfImage } from "../cluster/version";
import { type EtcdStart, etcdStaticPod } from "../nodes/etcd";

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
