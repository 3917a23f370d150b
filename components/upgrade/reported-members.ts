import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import type { Cluster } from "../../cluster/model";
import { type EtcdChange, etcdChanges, etcdMembers, type RunningMember } from "./etcd-changes";
import { etcdPods } from "./running";

/** Seconds: a kubelet tells of a static pod anew about every minute, and after an outage of the API no sooner. */
export const kubeletSeconds = 180;

const lookMilliseconds = 2_000;

export interface ShownMembers {
    readonly members: readonly RunningMember[];
    /** Controllers whose member is well, and whose static pod the API does not know: how it runs can't be seen. */
    readonly missing: readonly string[];
    /** Those of them whose Node the API does not have either: their kubelets show nothing until they have registered again. */
    readonly unregistered: readonly string[];
}

/** The members as the API shows them. @param seconds - for which to wait until it shows all that etcd's keeper last saw well */
export async function shownMembers(
    api: ApiClient,
    controllers: readonly string[],
    seconds: number,
): Promise<ShownMembers> {
    const deadline = Date.now() + seconds * 1000;
    for (;;) {
        const members = await etcdPods(api);
        const unseen = controllers.filter((name) => !members.some(({ node }) => node === name));
        const seen = unseen.length > 0 ? await etcdMembers(api) : [];
        const well = seen.filter(({ problem }) => problem === undefined).map(({ name }) => name);
        const missing = unseen.filter((name) => well.includes(name));
        if (missing.length === 0 || Date.now() >= deadline) {
            return { members, missing, unregistered: await withoutNode(api, missing) };
        }
        await sleep(lookMilliseconds);
    }
}

async function withoutNode(api: ApiClient, names: readonly string[]): Promise<string[]> {
    const nodes = await Promise.all(names.map((name) => ifFound(api.call<object>(`/api/v1/nodes/${name}`))));
    return names.filter((_, index) => nodes[index] === undefined);
}

/** Waits until the API shows members as they run now: before, who looks could take them for as they were. @throws if it does not */
export async function waitUntilShown(
    api: ApiClient,
    cluster: Cluster,
    changes: readonly EtcdChange[],
    seconds = kubeletSeconds,
): Promise<void> {
    const deadline = Date.now() + seconds * 1000;
    for (;;) {
        // It may be away: the only member has just been started anew.
        const members = await etcdPods(api).catch((): RunningMember[] => []);
        const has = (all: readonly { readonly node: string }[], name: string) => all.some(({ node }) => node === name);
        const left = etcdChanges(cluster, members);
        const late = changes.map(({ node }) => node).filter((name) => !has(members, name) || has(left, name));
        if (late.length === 0) {
            return;
        }
        if (Date.now() >= deadline) {
            throw new Error(
                `the etcd of ${late.join(", ")} runs as it should, but the API does not show it so within ${seconds} s`,
            );
        }
        await sleep(lookMilliseconds);
    }
}
