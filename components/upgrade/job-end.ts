import { setTimeout as sleep } from "node:timers/promises";
import { redact } from "../../agents/harness/redact";
import { type ApiClient, list } from "../../clients/kubernetes/api-client";
import { describePassing } from "../../clients/kubernetes/api-error";
import { type Condition, condition, type Job, type Pod } from "../../clients/kubernetes/objects";

export interface JobEnd {
    readonly isComplete: boolean;
    /** Last lines of its last pod's log; empty if there are none. */
    readonly log: string;
}

/** Seconds for which a pod may fail to start: the kubelet retries, and a registry may be slow. */
const startSeconds = 120;

interface JobEndOptions {
    /** @default "kube-system" */
    readonly namespace?: string;
    /** Seconds for which its pod may fail to start. @default 120 */
    readonly patience?: number;
}

/**
 * Waits for a Job to finish. The API may be unreachable meanwhile.
 *
 * @throws if it does not finish in time, or its pod does not start
 */
export async function jobEnd(
    api: ApiClient,
    name: string,
    timeoutSeconds: number,
    { namespace = "kube-system", patience = startSeconds }: JobEndOptions = {},
): Promise<JobEnd> {
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const deadline = Date.now() + timeoutSeconds * 1000;
    let failsSince: number | undefined;
    for (let state = "it has not started"; ; ) {
        try {
            const end = endOf(await api.call<Job>(`/apis/batch/v1/namespaces/${namespace}/jobs/${name}`));
            if (end) {
                return { isComplete: end.type === "Complete", log: await lastLines(api, pods, name) };
            }
            const start = startOf(await podsOf(api, pods, name));
            state = start.text;
            failsSince = start.isFailing ? (failsSince ?? Date.now()) : undefined;
        } catch (error) {
            state = describePassing(error);
        }
        if (failsSince !== undefined && Date.now() - failsSince > patience * 1000) {
            throw new Error(`the Job ${namespace}/${name} does not start: ${state}`);
        }
        if (Date.now() > deadline) {
            const log = await lastLines(api, pods, name).catch(() => "");
            throw new Error(
                [`waited ${timeoutSeconds} s for the Job ${namespace}/${name}: ${state}`, log].join("\n").trim(),
            );
        }
        await sleep(500);
    }
}

/** How a Job has finished; undefined if it has not. */
export function endOf({ status }: Job): Condition | undefined {
    return status?.conditions?.find((each) => each.status === "True" && /^(Complete|Failed)$/.test(each.type));
}

/** Pods of a Job, the newest first. */
async function podsOf(api: ApiClient, pods: string, job: string): Promise<Pod[]> {
    const created = ({ metadata }: Pod) => metadata.creationTimestamp ?? "";
    const all = await list<Pod>(api, `${pods}?labelSelector=job-name%3D${job}`);
    return [...all].sort((a, b) => created(b).localeCompare(created(a)));
}

/** States of a container that starts normally. */
const normal = ["ContainerCreating", "PodInitializing"];

/** Whether the newest pod of a Job runs, and otherwise why not. Failing: it will hardly start by itself. */
export function startOf([pod]: readonly Pod[]): { readonly text: string; readonly isFailing: boolean } {
    if (pod === undefined) return { text: "it has no pod yet", isFailing: false };
    const { spec, status = {}, metadata } = pod;
    const placed = condition(status, "PodScheduled");
    if (spec.nodeName === undefined) {
        return {
            text: `its pod ${metadata.name} is not scheduled: ${placed?.message ?? "no reason given"}`,
            isFailing: false,
        };
    }
    const containers = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
    const waiting = containers.flatMap(({ name, state }) => (state?.waiting ? [{ name, ...state.waiting }] : []));
    const bad = waiting.find(({ reason = "" }) => reason !== "" && !normal.includes(reason));
    if (bad) {
        const why = redact([bad.reason, bad.message].filter(Boolean).join(": ")).trim();
        const text = `its pod ${metadata.name} on ${spec.nodeName} waits: ${bad.name}: ${why}`;
        // A program that ends too often is a matter of the Job, which counts failures.
        return { text, isFailing: bad.reason !== "CrashLoopBackOff" };
    }
    const isCreated = status.phase === "Running" || waiting.length === 0;
    const what = isCreated ? "it is running" : `its pod ${metadata.name} on ${spec.nodeName} is being created`;
    return { text: what, isFailing: false };
}

async function lastLines(api: ApiClient, pods: string, job: string): Promise<string> {
    const [last] = await podsOf(api, pods, job);
    if (last === undefined) {
        return "";
    }
    // Its node may be deleted; the kubelet reported the end of the failed container to the API.
    const [status] = last.status?.containerStatuses ?? [];
    const reported = status?.state?.terminated?.message ?? "";
    const log = await api.call<string>(`${pods}/${last.metadata.name}/log?tailLines=20`).catch(() => "");
    return redact(String(log) || reported).trim();
}
