import { setTimeout as sleep } from "node:timers/promises";
import { bundleAgent } from "../../bundling/agents";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { describePassing, ifFound } from "../../clients/kubernetes/api-error";
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
import { jobEnd } from "./job-end";
import { waitUntilShown } from "./reported-members";

const core = "/api/v1/namespaces/kube-system";
const jobs = "/apis/batch/v1/namespaces/kube-system/jobs";
const ours = `labelSelector=${encodeURIComponent(`k8s-app=${etcdUpdateApp}`)}`;

/** Seconds for one member: its image may have to be fetched, its peers waited for, and the way back gone. */
const memberSeconds = 1_200;
/** Seconds for what an interrupted `up` left behind to end. */
const leftoverSeconds = 120;

interface List {
    readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

/**
 * Has members run otherwise, one after another.
 *
 * Jobs, and no resources of the stack: whoever makes a cluster, or a machine anew, has them as they should be, and what is
 * to be changed is known only from what runs.
 *
 * @param members - all of them
 * @throws with what the agent said when one does not serve, the others being as they were; and when the API does not show all of it
 */
export async function rollOutEtcd(
    api: ApiClient,
    cluster: Cluster,
    changes: readonly EtcdChange[],
    members: readonly Machine[],
    tell: (message: string) => Promise<void>,
): Promise<void> {
    await removeLeftovers(api);
    for (const { node, start, text } of changes) {
        const id = `${etcdUpdateApp}-${node}-${Date.now().toString(36)}`;
        const { metadata } = await api.call<Manifest>(jobs, { method: "POST", body: etcdUpdateJob(cluster, node, id) });
        const config = etcdUpdateConfig(etcdUpdatePlan(cluster, { id, start, members }), bundleAgent("etcd-update"));
        // It goes with the Job.
        const owner = { apiVersion: "batch/v1", kind: "Job", name: id, uid: metadata.uid };
        const body = { ...config, metadata: { ...config.metadata, ownerReferences: [owner] } };
        await api.call(`${core}/configmaps`, { method: "POST", body });
        const { isComplete, log } = await jobEnd(api, id, memberSeconds);
        if (!isComplete) {
            throw new Error(`the etcd of ${node} could not be changed: ${log.split("\n").at(-1) || "no log is left"}`);
        }
        await tell(`${text}: done`);
        await showAnew(api, node);
    }
    await waitUntilShown(api, cluster, changes);
}

/** Two agents at once could each take the other's member for healthy. */
async function removeLeftovers(api: ApiClient): Promise<void> {
    const left = async () => {
        const [{ items: known }, { items: pods }] = await Promise.all([
            api.call<List>(`${jobs}?${ours}`),
            api.call<List>(`${core}/pods?${ours}`),
        ]);
        return { known, names: [...new Set([...known, ...pods].map(({ metadata }) => metadata.name))] };
    };
    for (const { metadata } of (await left()).known) {
        const body = { propagationPolicy: "Foreground" };
        await ifFound(api.call(`${jobs}/${metadata.name}`, { method: "DELETE", body }));
    }
    const deadline = Date.now() + leftoverSeconds * 1000;
    for (;;) {
        const { names } = await left();
        if (names.length === 0) {
            return;
        }
        if (Date.now() > deadline) {
            throw new Error(
                `waited ${leftoverSeconds} s for what is left of an earlier \`up\` to end: ${names.join(", ")}`,
            );
        }
        await sleep(500);
    }
}

/** The kubelet tells the API of the static pod as it is now: its UID is the same, and so it would not by itself. */
async function showAnew(api: ApiClient, node: string): Promise<void> {
    try {
        const body = { gracePeriodSeconds: 0 };
        await ifFound(api.call(`${core}/pods/etcd-${node}`, { method: "DELETE", body }));
    } catch (error) {
        // The next `up` finds it as it was, finds nothing to do, and comes by here again.
        describePassing(error);
    }
}
