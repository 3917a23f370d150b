import type { SnapshotStatus } from "../../agents/etcd/keeper/status";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import type { Manifest } from "../../cluster/manifest";
import { etcdSnapshotJob, snapshotCronJob } from "../../cluster/manifests/etcd/etcd-keeper";
import { jobEnd } from "./job-end";

export interface SnapshotNowOptions {
    /** The controller that takes and stores it. @default any */
    readonly node?: string;
    /** @default 600 */
    readonly timeoutSeconds?: number;
}

/** Takes an etcd snapshot and waits for it. @throws with the agent's last log lines if it fails */
export async function snapshotNow(api: ApiClient, options: SnapshotNowOptions = {}): Promise<SnapshotStatus> {
    const { node, timeoutSeconds = 600 } = options;
    const jobs = "/apis/batch/v1/namespaces/kube-system";
    const cronJob = await api.call<Manifest>(`${jobs}/cronjobs/${snapshotCronJob}`);
    const name = `${snapshotCronJob}-${Date.now().toString(36)}`;
    await api.call(`${jobs}/jobs`, { method: "POST", body: etcdSnapshotJob(cronJob, name, node) });
    const { isComplete, log } = await jobEnd(api, name, timeoutSeconds);
    const line = log.split("\n").at(-1) ?? "";
    if (!isComplete || !line.startsWith("{")) {
        throw new Error(`the Job kube-system/${name} took no snapshot: ${log || "no log available"}`);
    }
    return JSON.parse(line);
}
