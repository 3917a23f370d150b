import type { KeeperPlan, S3Plan } from "../../../agents/etcd/keeper/plan";
import { secretFiles } from "../../../agents/etcd/keeper/snapshot-store";
import { keeperName, statusConfigMap } from "../../../agents/etcd/keeper/status";
import { hasSnapshotSecrets, type StoreSecrets } from "../../etcd-snapshots";
import type { Manifest } from "../../manifest";
import type { Cluster, EtcdS3 } from "../../model";
import { localApiServer, ports } from "../../network/ports";
import { paths } from "../../paths";
import { agentPod, fromProgram, frugal, onAnyController, ownControllers } from "../agent-workloads";
import { deployment, immutableConfigMap, json, secret } from "../objects";
import { asRoot, fieldEnv, fromConfigMap, fromHost, fromImage, fromSecret, nodeCas, type PodSpec } from "../pod";
import { proxyEnv } from "../proxy-env";
import { account, role, subjects } from "../rbac";

const namespace = "kube-system";
const name = keeperName;
const planPath = "/etc/tradewind/etcd-keeper";
const secretName = "etcd-snapshot-store";
const secretsPath = "/etc/tradewind/etcd-snapshot-store";
/** Mount path of the etcd image, for its programs. */
const etcdPath = "/opt/etcd";

/** A suspended CronJob: `kubectl create job --from=cronjob/etcd-snapshot` takes a snapshot now. */
export const snapshotCronJob = "etcd-snapshot";

/** The agent that maintains etcd, a single process per cluster, and the CronJob that runs it on demand. */
export function etcdKeeper(cluster: Cluster, agent: string): Manifest[] {
    const program = immutableConfigMap(`${name}-program`, { [`${name}.js`]: agent });
    const plan = immutableConfigMap(name, { "plan.json": json(etcdKeeperPlan(cluster)) });
    const pod = (verb: string) => podSpec(cluster, verb, program.metadata.name, plan.metadata.name);
    return [...permissions(), program, plan, deployment(name, pod("keep")), cronJob(pod("snapshot"))];
}

export function etcdKeeperPlan({ name: clusterName, versions, etcdSnapshots, metrics }: Cluster): KeeperPlan {
    const { intervalSeconds, keep, maxAgeSeconds, directory, s3 } = etcdSnapshots;
    return {
        clusterName,
        kubernetesVersion: versions.kubernetes,
        endpoint: `https://127.0.0.1:${ports.etcdClient}`,
        apiServer: localApiServer,
        pki: paths.etcdPki,
        etcdutl: `${etcdPath}/usr/local/bin/etcdutl`,
        ...(metrics && { metricsPort: ports.etcdKeeperMetrics }),
        snapshots: {
            intervalSeconds,
            retention: { keep, maxAgeSeconds },
            directory,
            ...(s3 && { s3: storePlan(s3, secretsPath) }),
        },
    };
}

/** The store, as an agent uses it. @param secrets - directory of {@link storeSecretFiles} */
export function storePlan({ instanceRole, plainHttp: _, ...s3 }: EtcdS3, secrets: string): S3Plan {
    if (!hasSnapshotSecrets({ ...s3, instanceRole })) return s3;
    return { ...s3, ...(instanceRole && { instanceRole }), secrets };
}

/** What an agent reads them from, by file name. */
export function storeSecretFiles(
    { instanceRole }: Pick<EtcdS3, "instanceRole">,
    { accessKeyId = "", secretAccessKey = "", encryptionKeys = [] }: StoreSecrets,
): Record<string, string> {
    return {
        ...(!instanceRole && {
            [secretFiles.accessKeyId]: accessKeyId,
            [secretFiles.secretAccessKey]: secretAccessKey,
        }),
        ...(encryptionKeys.length > 0 && { [secretFiles.encryptionKey]: encryptionKeys.join("\n") }),
    };
}

/** Credentials of the keeper for the snapshot bucket. Updates reach the pod without a restart. */
export function etcdSnapshotSecret({ etcdSnapshots }: Cluster, secrets: StoreSecrets = {}): Manifest {
    const { s3 } = etcdSnapshots;
    // It only encrypts.
    const encryptionKeys = s3?.isEncrypted ? [secrets.encryptionKeys?.[0] ?? ""] : [];
    return secret(secretName, storeSecretFiles(s3 ?? { instanceRole: false }, { ...secrets, encryptionKeys }));
}

/** Permissions of an agent that relies on what it reports. */
export const readsEtcdStatus = [
    { apiGroups: [""], resources: ["configmaps"], resourceNames: [statusConfigMap], verbs: ["get"] },
    { apiGroups: ["apps"], resources: ["deployments"], resourceNames: [name], verbs: ["get"] },
];

/** It may only write its status. It connects to etcd with this machine's own certificate. */
function permissions(): Manifest[] {
    const rule = { apiGroups: [""], resources: ["configmaps"], resourceNames: [statusConfigMap] };
    const rules = [{ ...rule, verbs: ["create", "get", "patch"] }];
    return [account(name), ...role({ name, namespace }, rules, subjects.account(name))];
}

function cronJob(spec: PodSpec): Manifest {
    return {
        apiVersion: "batch/v1",
        kind: "CronJob",
        metadata: { name: snapshotCronJob, namespace },
        spec: {
            suspend: true,
            schedule: "@hourly",
            jobTemplate: {
                spec: {
                    backoffLimit: 2,
                    ttlSecondsAfterFinished: 86_400,
                    template: {
                        metadata: { labels: { "k8s-app": snapshotCronJob } },
                        spec: { ...spec, restartPolicy: "Never" },
                    },
                },
            },
        },
    };
}

function podSpec(cluster: Cluster, verb: string, program: string, plan: string): PodSpec {
    const { directory, s3 } = cluster.etcdSnapshots;
    const hasSecrets = s3 !== undefined && hasSnapshotSecrets(s3);
    // Root without capabilities: snapshots and keys are owned by root.
    // A candidate has no access to the bucket, but local snapshots are better than none.
    const preference = s3?.instanceRole ? ownControllers(cluster) : undefined;
    const placement = {
        ...onAnyController(cluster, name),
        ...(preference && {
            affinity: {
                nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] },
            },
        }),
        securityContext: asRoot,
    };
    return agentPod(cluster, name, placement, {
        ...frugal,
        args: [verb, `${planPath}/plan.json`],
        env: [fieldEnv("NODE_NAME", "spec.nodeName"), ...(s3 ? [nodeCas.env, ...proxyEnv(cluster)] : [])],
        mounted: [
            fromProgram(name, program),
            fromConfigMap("plan", plan, planPath),
            fromHost("pki", paths.etcdPki, { readOnly: true }),
            fromImage("etcd", cluster.images.etcd, etcdPath),
            fromHost("snapshots", directory, {}, "DirectoryOrCreate"),
            ...(hasSecrets ? [fromSecret("secrets", secretName, secretsPath)] : []),
            ...(s3 ? [nodeCas] : []),
        ],
    });
}

/** Takes a snapshot now, like `kubectl create job --from=cronjob/etcd-snapshot`: uses the CronJob's template. */
export function etcdSnapshotJob(cronJob: Manifest, jobName: string, node?: string): Manifest {
    const { jobTemplate } = cronJob.spec as { jobTemplate: { spec: { template: { spec: PodSpec } } } };
    const { uid } = cronJob.metadata as { uid?: string };
    const { template, ...spec } = jobTemplate.spec;
    const nodeSelector = node ? { "kubernetes.io/hostname": node } : template.spec.nodeSelector;
    return {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: {
            name: jobName,
            namespace,
            annotations: { "cronjob.kubernetes.io/instantiate": "manual" },
            // So that old Jobs are deleted with the next one.
            ...(uid && {
                ownerReferences: [
                    { apiVersion: "batch/v1", kind: "CronJob", name: snapshotCronJob, uid, controller: true },
                ],
            }),
        },
        spec: { ...spec, template: { ...template, spec: { ...template.spec, nodeSelector } } },
    };
}
