import * as pulumi from "@pulumi/pulumi";
import type { ConfigMap } from "../../clients/kubernetes/objects";
import { upgradeJobRecord } from "../../cluster/manifests/upgrade-job";
import { jobsAfter, type UpgradeJob } from "../../cluster/upgrades/jobs";
import type { UpgradeStep } from "../../cluster/upgrades/order";
import { takesHooks } from "../pulumi/engine";
import { inProgram, withUrn } from "../pulumi/hooks";
import { log } from "../pulumi/log";
import { ClusterProvider } from "../rollout/cluster-provider";
import { recordedVersion, runUpgradeJob } from "../upgrade/upgrade-jobs";
import { type InCluster, type InClusterAfter, type Put, waitFor } from "./kubernetes-object";

/**
 * The user's Jobs after a step. Each has a record in the stack, which changes with the version of Kubernetes: a hook runs
 * the Job before that, so a Job that failed runs again in the next `up`, and one that succeeded does not.
 *
 * @param parts - what the step consists of
 * @returns the records: the next step must wait for them
 */
export function putJobsAfter(
    step: UpgradeStep,
    args: Pick<InCluster, "cluster" | "provider">,
    put: Put,
    parts: InClusterAfter["after"],
): readonly pulumi.Resource[] {
    const { upgradeJobs, versions } = args.cluster;
    const records: pulumi.Resource[] = [];
    for (const job of jobsAfter(upgradeJobs, step)) {
        const hooks = jobHooks(job, args);
        const dependsOn = waitFor(parts, [...records]);
        records.push(put(upgradeJobRecord(job, versions.kubernetes), { dependsOn, ...(hooks && { hooks }) }));
    }
    return records;
}

function jobHooks(
    job: UpgradeJob,
    { cluster, provider }: Pick<InCluster, "cluster" | "provider">,
): pulumi.ResourceHookBinding | undefined {
    if (!takesHooks() || !(provider instanceof ClusterProvider)) return undefined;
    const run = ({ urn, oldInputs }: pulumi.ResourceHookArgs) =>
        provider.ask(async (api) => {
            const recorded = (oldInputs as ConfigMap | undefined)?.data?.kubernetesVersion;
            const from = recorded ?? (await recordedVersion(job, api));
            const report = (message: string) => log.info(message, withUrn(urn));
            if (from !== undefined) await runUpgradeJob(job, cluster, from, api, report);
        });
    const hooks = [new pulumi.ResourceHook(`${cluster.name}-upgrade-job-${job.name}`, inProgram(run))];
    return { beforeCreate: hooks, beforeUpdate: hooks };
}
