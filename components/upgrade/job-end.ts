import { setTimeout as sleep } from "node:timers/promises";
import { redact } from "../../agents/harness/redact";
import { type ApiClient, list } from "../../clients/kubernetes/api-client";
import { describePassing } from "../../clients/kubernetes/api-error";
import type { Job, Pod } from "../../clients/kubernetes/objects";

export interface JobEnd {
    readonly isComplete: boolean;
    /** Last lines of its last pod's log; empty if there are none. */
    readonly log: string;
}

/**
 * Waits for a Job in kube-system to finish. The API may be unreachable meanwhile.
 * @throws if it does not finish in time
 */
export async function jobEnd(api: ApiClient, name: string, timeoutSeconds: number): Promise<JobEnd> {
    const deadline = Date.now() + timeoutSeconds * 1000;
    for (let seen = "it has not started"; ; ) {
        try {
            const { status } = await api.call<Job>(`/apis/batch/v1/namespaces/kube-system/jobs/${name}`);
            const end = status?.conditions?.find(
                (each) => each.status === "True" && /^(Complete|Failed)$/.test(each.type),
            );
            if (end) {
                return { isComplete: end.type === "Complete", log: await lastLines(api, name) };
            }
            seen = "it is running";
        } catch (error) {
            seen = describePassing(error);
        }
        if (Date.now() > deadline) {
            throw new Error(`waited ${timeoutSeconds} s for the Job kube-system/${name}: ${seen}`);
        }
        await sleep(500);
    }
}

async function lastLines(api: ApiClient, job: string): Promise<string> {
    const pods = "/api/v1/namespaces/kube-system/pods";
    const created = ({ metadata }: Pod) => metadata.creationTimestamp ?? "";
    const all = await list<Pod>(api, `${pods}?labelSelector=job-name%3D${job}`);
    const last = [...all].sort((a, b) => created(b).localeCompare(created(a)))[0];
    if (last === undefined) {
        return "";
    }
    // Its node may be gone; the kubelet reported the end of the failed container to the API.
    const [status] = last.status?.containerStatuses ?? [];
    const told = status?.state?.terminated?.message ?? "";
    const log = await api.call<string>(`${pods}/${last.metadata.name}/log?tailLines=20`).catch(() => "");
    return redact(String(log) || told).trim();
}
