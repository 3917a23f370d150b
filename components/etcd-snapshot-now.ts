import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../agents/common/api-client";
import { describePassing } from "../agents/common/api-error";
import type { SnapshotStatus } from "../agents/etcd-keeper/status";
import type { Manifest } from "./cluster/manifest";
import { etcdSnapshotJob, snapshotCronJob } from "./control-plane/etcd-keeper";

export interface SnapshotNowOptions {
    /** The controller that takes it, and has it in its directory. @default any */
    readonly node?: string;
    /** @default 600 */
    readonly timeoutSeconds?: number;
}

interface Job {
    readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

interface PodList {
    readonly items: readonly {
        readonly metadata: { readonly name: string; readonly creationTimestamp: string };
        readonly status: { readonly phase: string };
    }[];
}

/** Has the cluster take a snapshot of its etcd, and waits for it. @throws with the agent's last words when there is none */
export async function snapshotNow(api: ApiClient, options: SnapshotNowOptions = {}): Promise<SnapshotStatus> {
    const { node, timeoutSeconds = 600 } = options;
    const jobs = "/apis/batch/v1/namespaces/kube-system";
    const cronJob = await api.call<Manifest>(`${jobs}/cronjobs/${snapshotCronJob}`);
    const name = `${snapshotCronJob}-${Date.now().toString(36)}`;
    await api.call(`${jobs}/jobs`, { method: "POST", body: etcdSnapshotJob(cronJob, name, node) });
    const deadline = Date.now() + timeoutSeconds * 1000;
    for (let seen = "it has not begun"; ; ) {
        try {
            const { status } = await api.call<Job>(`${jobs}/jobs/${name}`);
            const end = status?.conditions?.find(
                (each) => each.status === "True" && /^(Complete|Failed)$/.test(each.type),
            );
            if (end) {
                return await outcome(api, name, end.type === "Complete");
            }
            seen = "it is at work";
        } catch (error) {
            seen = describePassing(error);
        }
        if (Date.now() > deadline) {
            throw new Error(`waited ${timeoutSeconds} s for the Job kube-system/${name}: ${seen}`);
        }
        await sleep(500);
    }
}

async function outcome(api: ApiClient, job: string, isComplete: boolean): Promise<SnapshotStatus> {
    const pods = "/api/v1/namespaces/kube-system/pods";
    const { items } = await api.call<PodList>(`${pods}?labelSelector=job-name%3D${job}`);
    const last = [...items].sort((a, b) => b.metadata.creationTimestamp.localeCompare(a.metadata.creationTimestamp))[0];
    const log = last ? await api.call<string>(`${pods}/${last.metadata.name}/log?tailLines=20`) : "";
    const line = String(log).trim().split("\n").at(-1) ?? "";
    if (!isComplete || !line.startsWith("{")) {
        throw new Error(`the Job kube-system/${job} took no snapshot: ${String(log).trim() || "it left no log"}`);
    }
    return JSON.parse(line);
}
