import { setTimeout as sleep } from "node:timers/promises";
import { bundleAgent } from "../../bundling/agents";
import { type ApiClient, list, remove } from "../../clients/kubernetes/api-client";
import { describePassing } from "../../clients/kubernetes/api-error";
import type { Job, Pod } from "../../clients/kubernetes/objects";
import type { Machine } from "../../cluster/keys/credentials";
import type { Manifest } from "../../cluster/manifest";
import {
    etcdUpdateApp,
    etcdUpdateConfig,
    etcdUpdateJob,
    etcdUpdatePlan,
} from "../../cluster/manifests/etcd/etcd-update";
import type { Cluster } from "../../cluster/model";
import type { EtcdChange } from "./etcd-changes";
import { endOf, jobEnd } from "./job-end";

const core = "/api/v1/namespaces/kube-system";
const jobs = "/apis/batch/v1/namespaces/kube-system/jobs";
const ours = `labelSelector=${encodeURIComponent(`k8s-app=${etcdUpdateApp}`)}`;

/** Seconds per member: it may have to pull its image, wait for its peers, and be rolled back. */
const memberSeconds = 1_200;
/** Seconds for leftovers of an interrupted `up` to finish. */
const leftoverSeconds = 120;

/**
 * Changes members one at a time.
 *
 * Uses Jobs instead of resources of the stack: new clusters and replaced machines start with the desired members, and
 * what must change is only known from what runs.
 *
 * @param members - all members
 * The API does not show all of them yet: see `waitUntilShown`.
 *
 * @throws with the agent's message if a member does not work, with the others unchanged
 */
export async function rollOutEtcd(
    api: ApiClient,
    cluster: Cluster,
    changes: readonly EtcdChange[],
    members: readonly Machine[],
    report: (message: string) => Promise<void>,
): Promise<void> {
    await removeLeftovers(api);
    for (const { node, start, digest, text } of changes) {
        const id = `${etcdUpdateApp}-${node}-${Date.now().toString(36)}`;
        const { metadata } = await api.call<Manifest>(jobs, { method: "POST", body: etcdUpdateJob(cluster, node, id) });
        const plan = etcdUpdatePlan(cluster, { id, start, members, digest });
        const config = etcdUpdateConfig(plan, bundleAgent("etcd-update"));
        // It is deleted with the Job.
        const owner = { apiVersion: "batch/v1", kind: "Job", name: id, uid: metadata.uid };
        const body = { ...config, metadata: { ...config.metadata, ownerReferences: [owner] } };
        await api.call(`${core}/configmaps`, { method: "POST", body });
        const { isComplete, log } = await jobEnd(api, id, memberSeconds);
        if (!isComplete) {
            throw new Error(
                `the etcd of ${node} could not be changed: ${log.split("\n").at(-1) || "no log available"}`,
            );
        }
        await report(`${text}: done`);
        await publishAgain(api, node);
    }
}

/** Nodes whose member an earlier `up` is still changing: what they run is about to be something else. */
export async function unfinishedMembers(api: ApiClient): Promise<string[]> {
    const known = await list<Job>(api, `${jobs}?${ours}`);
    const running = known.filter((job) => endOf(job) === undefined);
    return running.flatMap(({ spec }) => spec?.template.spec.nodeSelector?.["kubernetes.io/hostname"] ?? []);
}

/** Two agents at once could each consider the other's member healthy. */
async function removeLeftovers(api: ApiClient): Promise<void> {
    const left = async () => {
        const [known, pods] = await Promise.all([
            list<Job>(api, `${jobs}?${ours}`),
            list<Pod>(api, `${core}/pods?${ours}`),
        ]);
        return { known, names: [...new Set([...known, ...pods].map(({ metadata }) => metadata.name))] };
    };
    for (const { metadata } of (await left()).known) {
        await remove(api, `${jobs}/${metadata.name}`, { propagationPolicy: "Foreground" });
    }
    const deadline = Date.now() + leftoverSeconds * 1000;
    for (;;) {
        const { names } = await left();
        if (names.length === 0) {
            return;
        }
        if (Date.now() > deadline) {
            throw new Error(
                `waited ${leftoverSeconds} s for leftovers of an earlier \`up\` to finish: ${names.join(", ")}`,
            );
        }
        await sleep(500);
    }
}

/**
 * Makes the kubelet report the current static pod to the API: it would not do so itself, because the UID is unchanged.
 */
async function publishAgain(api: ApiClient, node: string): Promise<void> {
    try {
        await remove(api, `${core}/pods/etcd-${node}`, { gracePeriodSeconds: 0 });
    } catch (error) {
        // The next `up` finds nothing to change and runs this again.
        describePassing(error);
    }
}
