import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import type { Node } from "../../clients/kubernetes/objects";
import type { Cluster } from "../../cluster/model";
import { type EtcdChange, etcdChanges, etcdMembers, type RunningMember } from "./etcd-changes";
import { etcdPods } from "./running";

/** Seconds: a kubelet reports a static pod again about every minute, and not sooner after an API outage. */
export const kubeletSeconds = 180;

const pollMilliseconds = 2_000;

export interface ShownMembers {
    readonly members: readonly RunningMember[];
    /** Controllers with a healthy member whose static pod the API does not have, so that its flags are unknown. */
    readonly missing: readonly string[];
    /** Those of them without a Node in the API: their kubelets report nothing until they have registered again. */
    readonly unregistered: readonly string[];
}

/**
 * The members in the API.
 * @param seconds - how long to wait for all members that etcd's keeper last reported healthy
 */
export async function shownMembers(
    api: ApiClient,
    controllers: readonly string[],
    seconds: number,
): Promise<ShownMembers> {
    const deadline = Date.now() + seconds * 1000;
    for (;;) {
        const members = await etcdPods(api);
        const notShown = controllers.filter((name) => !members.some(({ node }) => node === name));
        const observed = notShown.length > 0 ? await etcdMembers(api) : [];
        const well = observed.filter(({ problem }) => problem === undefined).map(({ name }) => name);
        const missing = notShown.filter((name) => well.includes(name));
        if (missing.length === 0 || Date.now() >= deadline) {
            return { members, missing, unregistered: await withoutNode(api, missing) };
        }
        await sleep(pollMilliseconds);
    }
}

async function withoutNode(api: ApiClient, names: readonly string[]): Promise<string[]> {
    const nodes = await Promise.all(names.map((name) => ifFound(api.call<Node>(`/api/v1/nodes/${name}`))));
    return names.filter((_, index) => nodes[index] === undefined);
}

/**
 * Waits until the API shows members as they run now; before that, they could be mistaken for their previous version.
 * @throws on timeout
 */
export async function waitUntilShown(
    api: ApiClient,
    cluster: Cluster,
    changes: readonly EtcdChange[],
    seconds = kubeletSeconds,
): Promise<void> {
    const deadline = Date.now() + seconds * 1000;
    for (;;) {
        // The API may be unreachable: the only member has just restarted.
        const members = await etcdPods(api).catch((): RunningMember[] => []);
        const has = (all: readonly { readonly node: string }[], name: string) => all.some(({ node }) => node === name);
        const left = etcdChanges(cluster, members);
        const late = changes.map(({ node }) => node).filter((name) => !has(members, name) || has(left, name));
        if (late.length === 0) {
            return;
        }
        if (Date.now() >= deadline) {
            throw new Error(
                `the etcd of ${late.join(", ")} has been updated, but the API does not show it after ${seconds} s`,
            );
        }
        await sleep(pollMilliseconds);
    }
}
