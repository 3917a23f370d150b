import { setTimeout as sleep } from "node:timers/promises";
import { gt } from "semver";
import { type ApiClient, type Caller, list, patch, remove } from "../../clients/kubernetes/api-client";
import { describeError, ifFound } from "../../clients/kubernetes/api-error";
import type { ApiObject, ConfigMap, Job } from "../../clients/kubernetes/objects";
import { fieldManager, owned } from "../../cluster/manifest";
import { upgradeJobLabel, upgradeJobManifest, upgradeJobRecord } from "../../cluster/manifests/upgrade-job";
import type { Cluster } from "../../cluster/model";
import { jobsAfter, type UpgradeJob } from "../../cluster/upgrades/jobs";
import type { UpgradeStep } from "../../cluster/upgrades/order";
import { plainError } from "../pulumi/errors";
import { lastWords } from "../rollout/cluster-provider";
import { jobEnd } from "./job-end";

interface Namespace extends ApiObject {
    readonly status?: { readonly phase?: string };
}

type Of = Pick<Cluster, "name" | "versions" | "upgradeJobs">;
type Report = (message: string) => Promise<void>;

/** Seconds for which pods of an interrupted `up` may take to stop. */
const leftoverSeconds = 120;

/** Runs Jobs after a step of an upgrade that is no resource of the stack. @throws RunError if one fails */
export async function runJobsAfter(
    step: UpgradeStep | undefined,
    cluster: Of,
    from: string,
    api: ApiClient,
    report: Report,
): Promise<void> {
    for (const job of jobsAfter(cluster.upgradeJobs, step)) await runUpgradeJob(job, cluster, from, api, report);
}

/**
 * Runs a Job and waits for it; does nothing on the way back to an older version. One that an interrupted `up` has left
 * is deleted first.
 *
 * @param from - version of Kubernetes before the upgrade
 * @throws RunError with its last output if it fails
 */
export async function runUpgradeJob(
    job: UpgradeJob,
    { name: cluster, versions }: Of,
    from: string,
    api: ApiClient,
    report: Report,
): Promise<void> {
    const to = versions.kubernetes;
    if (!gt(to, from)) return;
    const { namespace, name, when, timeoutSeconds } = job;
    const id = `${name}-${Date.now().toString(36)}`;
    try {
        await removeLeftovers(api, job);
        const body = upgradeJobManifest(job, id, { from, to });
        await api.call(`/apis/batch/v1/namespaces/${namespace}/jobs`, { method: "POST", body });
        const { isComplete, log } = await jobEnd(api, id, timeoutSeconds, { namespace }).catch(async (error) => {
            const words = await lastWords(api, { kind: "Job", metadata: { name: id, namespace } }).catch(() => []);
            throw new Error([describeError(error), ...words].join("\n"));
        });
        if (!isComplete) throw new Error(`the Job ${namespace}/${id} failed: ${log || "no log available"}`);
    } catch (error) {
        throw plainError(`${cluster}: the upgrade to Kubernetes ${to} stops ${when}: ${describeError(error)}`);
    }
    await report(`the Job ${name} ${when}: done`);
}

/** Why a Job could not be created, or undefined: Kubernetes would only say so in the middle of an upgrade. */
export async function jobProblem(api: Caller, { upgradeJobs }: Pick<Of, "upgradeJobs">): Promise<string | undefined> {
    for (const [index, { namespace, serviceAccount }] of upgradeJobs.entries()) {
        const option = `upgradeJobs[${index}]`;
        const path = `/api/v1/namespaces/${namespace}`;
        const found = namespace === "default" ? {} : await ifFound(api.call<Partial<Namespace>>(path));
        if (found === undefined || found.status?.phase === "Terminating") {
            const got = found === undefined ? namespace : `${namespace}, which is being deleted`;
            return `${option}.namespace must be an existing namespace (got ${got})`;
        }
        if (serviceAccount === undefined) continue;
        if ((await ifFound(api.call(`${path}/serviceaccounts/${serviceAccount}`))) === undefined) {
            return `${option}.serviceAccount must be a service account of the namespace ${namespace} (got ${serviceAccount})`;
        }
    }
    return undefined;
}

/** Two at once could disturb each other. */
async function removeLeftovers(api: ApiClient, { namespace, name }: UpgradeJob): Promise<void> {
    const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`;
    const deadline = Date.now() + leftoverSeconds * 1000;
    for (;;) {
        const left = await list<Job>(api, `${jobs}?labelSelector=${encodeURIComponent(`${upgradeJobLabel}=${name}`)}`);
        if (left.length === 0) return;
        const names = left.map(({ metadata }) => metadata.name);
        if (Date.now() > deadline) {
            throw new Error(`waited ${leftoverSeconds} s for the last Jobs to stop: ${names.join(", ")}`);
        }
        for (const each of names) await remove(api, `${jobs}/${each}`, { propagationPolicy: "Foreground" });
        await sleep(500);
    }
}

/** Records the version before an upgrade for Jobs that are new: nothing else knows that they have not run yet. */
export async function recordVersion(cluster: Of, from: string, api: ApiClient): Promise<void> {
    for (const job of cluster.upgradeJobs) {
        if ((await recordedVersion(job, api)) !== undefined) continue;
        const path = `${pathOf(upgradeJobRecord(job, from))}?fieldManager=${fieldManager}`;
        await patch(api, path, "apply", owned(upgradeJobRecord(job, from)));
    }
}

/** The version of Kubernetes up to which a Job has run; undefined in a new cluster, and if the Job is new. */
export async function recordedVersion(job: UpgradeJob, api: ApiClient): Promise<string | undefined> {
    return (await ifFound(api.call<ConfigMap>(pathOf(upgradeJobRecord(job, "")))))?.data?.kubernetesVersion;
}

function pathOf({ metadata: { namespace, name } }: Pick<ApiObject, "metadata">): string {
    return `/api/v1/namespaces/${namespace}/configmaps/${name}`;
}
