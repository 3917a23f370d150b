import type { KeeperPlan, S3Plan } from "../../../agents/etcd/keeper/plan";
import { secretFiles } from "../../../agents/etcd/keeper/snapshot-store";
import { statusConfigMap } from "../../../agents/etcd/keeper/status";
import type { Manifest } from "../../manifest";
import type { Cluster, EtcdS3 } from "../../model";
import { ports } from "../../network/ports";
import type { EtcdSnapshotSecrets } from "../../options";
import { paths } from "../../paths";
import { immutableConfigMap, onAnyController, singleAgent } from "../agent-workloads";
import { nodeAuthorities } from "../nodes/node-authorities";
import { confined, lastWords, type PodSpec } from "../pod";

const namespace = "kube-system";
const name = "etcd-keeper";
const rbac = "rbac.authorization.k8s.io";
const programPath = "/opt/tradewind/etcd-keeper";
const planPath = "/etc/tradewind/etcd-keeper";
const secretName = "etcd-snapshot-store";
const secretsPath = "/etc/tradewind/etcd-snapshot-store";
/** Mount path of the etcd image, for its programs. */
const etcdPath = "/opt/etcd";

/** A suspended CronJob: `kubectl create job --from=cronjob/etcd-snapshot` takes a snapshot now. */
export const snapshotCronJob = "etcd-snapshot";

/** The agent that maintains etcd, a single process per cluster, and the CronJob that runs it on demand. */
export function etcdKeeper(cluster: Cluster, agent: string): Manifest[] {
    const program = immutableConfigMap(`${name}-program`, { "etcd-keeper.js": agent });
    const plan = immutableConfigMap(name, { "plan.json": `${JSON.stringify(etcdKeeperPlan(cluster), null, 2)}\n` });
    const pod = (verb: string) => podSpec(cluster, verb, program.metadata.name, plan.metadata.name);
    return [...account(), program, plan, singleAgent(name, pod("keep")), cronJob(pod("snapshot"))];
}

export function etcdKeeperPlan({ name: clusterName, versions, etcdSnapshots }: Cluster): KeeperPlan {
    const { intervalSeconds, keep, maxAgeSeconds, directory, s3 } = etcdSnapshots;
    return {
        clusterName,
        kubernetesVersion: versions.kubernetes,
        endpoint: `https://127.0.0.1:${ports.etcdClient}`,
        apiServer: `https://127.0.0.1:${ports.kubeApiserver}`,
        pki: paths.etcdPki,
        etcdutl: `${etcdPath}/usr/local/bin/etcdutl`,
        snapshots: {
            intervalSeconds,
            retention: { keep, maxAgeSeconds },
            directory,
            ...(s3 && { s3: storePlan(s3) }),
        },
    };
}

function storePlan({ instanceRole: isByInstanceRole, ...s3 }: EtcdS3): S3Plan {
    return { ...s3, ...(!isByInstanceRole && { secrets: secretsPath }) };
}

/** Credentials of the keeper for the snapshot bucket. Updates reach the pod without a restart. */
export function etcdSnapshotSecret(
    { etcdSnapshots }: Cluster,
    secrets: EtcdSnapshotSecrets = { accessKeyId: "", secretAccessKey: "" },
): Manifest {
    const { encryptionKey, ...credentials } = secrets;
    const values = { ...credentials, ...(etcdSnapshots.s3?.isEncrypted && { encryptionKey }) };
    const files = Object.entries(values).map(([field, value]) => [
        secretFiles[field as keyof typeof secretFiles],
        value,
    ]);
    return {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: secretName, namespace },
        type: "Opaque",
        data: Object.fromEntries(files.map(([file, value = ""]) => [file, Buffer.from(value).toString("base64")])),
    };
}

/** It may only write its status. It connects to etcd with this machine's own certificate. */
function account(): Manifest[] {
    const metadata = { name, namespace };
    const rule = { apiGroups: [""], resources: ["configmaps"], resourceNames: [statusConfigMap] };
    return [
        { apiVersion: "v1", kind: "ServiceAccount", metadata },
        {
            apiVersion: `${rbac}/v1`,
            kind: "Role",
            metadata,
            rules: [{ ...rule, verbs: ["create", "get", "patch"] }],
        },
        {
            apiVersion: `${rbac}/v1`,
            kind: "RoleBinding",
            metadata,
            roleRef: { apiGroup: rbac, kind: "Role", name },
            subjects: [{ kind: "ServiceAccount", name, namespace }],
        },
    ];
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
    const { images, etcdSnapshots } = cluster;
    const { directory, s3 } = etcdSnapshots;
    const hasSecrets = s3 !== undefined && !s3.instanceRole;
    return {
        ...onAnyController(cluster, name),
        securityContext: { runAsUser: 0, runAsGroup: 0, seccompProfile: { type: "RuntimeDefault" } },
        containers: [
            {
                name,
                image: images.node,
                ...lastWords,
                command: [
                    "node",
                    "--max-old-space-size=64",
                    `${programPath}/etcd-keeper.js`,
                    verb,
                    `${planPath}/plan.json`,
                ],
                ...(s3 && { env: [nodeAuthorities.env] }),
                resources: { requests: { cpu: "10m", memory: "64Mi" } },
                // Root without capabilities: snapshots and keys are owned by root.
                securityContext: confined,
                terminationMessagePolicy: "FallbackToLogsOnError",
                volumeMounts: [
                    { name: "program", mountPath: programPath, readOnly: true },
                    { name: "plan", mountPath: planPath, readOnly: true },
                    { name: "pki", mountPath: paths.etcdPki, readOnly: true },
                    { name: "etcd", mountPath: etcdPath, readOnly: true },
                    { name: "snapshots", mountPath: directory },
                    ...(hasSecrets ? [{ name: "secrets", mountPath: secretsPath, readOnly: true }] : []),
                    ...(s3 ? [nodeAuthorities.mount] : []),
                ],
            },
        ],
        volumes: [
            { name: "program", configMap: { name: program } },
            { name: "plan", configMap: { name: plan } },
            { name: "pki", hostPath: { path: paths.etcdPki, type: "Directory" } },
            { name: "etcd", image: { reference: images.etcd, pullPolicy: "IfNotPresent" } },
            { name: "snapshots", hostPath: { path: directory, type: "DirectoryOrCreate" } },
            ...(hasSecrets ? [{ name: "secrets", secret: { secretName, defaultMode: 0o400 } }] : []),
            ...(s3 ? [nodeAuthorities.volume] : []),
        ],
    };
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
