import { type EtcdUpdatePlan, gaveUpCode } from "../../../agents/etcd/update/plan";
import type { Machine } from "../../keys/credentials";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { ports } from "../../network/ports";
import { paths } from "../../paths";
import { onMemberNode } from "../agent-workloads";
import { confined, lastWords, type PodSpec } from "../pod";
import { clientUrl, type EtcdStart, etcdStaticPod } from "./member";

/** Label of its Jobs and their pods. */
export const etcdUpdateApp = "etcd-update";

const programPath = "/opt/tradewind/etcd-update";
const planPath = "/etc/tradewind/etcd-update";
/** Path of the new etcd binary, which is checked for support of the flags. */
const etcdPath = "/opt/tradewind/etcd";

export interface EtcdUpdateOptions {
    /** Name of the Job: another attempt is another Job. */
    readonly id: string;
    readonly start: EtcdStart;
    /** All members, including this one. */
    readonly members: readonly Machine[];
}

/** How a member must run. */
export function etcdUpdatePlan(cluster: Cluster, { id, start, members }: EtcdUpdateOptions): EtcdUpdatePlan {
    const { machine } = start;
    return {
        id,
        name: machine.name,
        clientUrl: clientUrl(machine),
        healthUrl: `http://127.0.0.1:${ports.etcdMetrics}`,
        endpoints: members.map(clientUrl),
        version: cluster.versions.etcd,
        program: `${etcdPath}/usr/local/bin/etcd`,
        directories: {
            pki: paths.etcdPki,
            staticPods: paths.staticPods,
            data: paths.etcdMemberData,
            podLogs: paths.podLogs,
            state: paths.etcdUpdateState,
        },
        staticPod: etcdStaticPod(cluster, start),
    };
}

/** The agent's source text and its plan. */
export function etcdUpdateConfig(plan: EtcdUpdatePlan, agent: string): Manifest {
    return {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: plan.id, namespace: "kube-system" },
        immutable: true,
        data: { "etcd-update.js": agent, "plan.json": `${JSON.stringify(plan, null, 2)}\n` },
    };
}

/** Changes how a controller's member runs. Its pod is recreated unless the agent gives up. */
export function etcdUpdateJob(cluster: Cluster, node: string, id: string): Manifest {
    return {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: id, namespace: "kube-system", labels: { "k8s-app": etcdUpdateApp } },
        spec: {
            backoffLimit: 20,
            // Its last log line is in the error of `up`.
            ttlSecondsAfterFinished: 3_600,
            podFailurePolicy: {
                rules: [{ action: "FailJob", onExitCodes: { operator: "In", values: [gaveUpCode] } }],
            },
            template: { metadata: { labels: { "k8s-app": etcdUpdateApp } }, spec: podSpec(cluster, node, id) },
        },
    };
}

function podSpec({ images }: Cluster, node: string, id: string): PodSpec {
    const { etcdPki: pki, staticPods, podLogs, etcdData: data, etcdUpdateState: state } = paths;
    return {
        ...onMemberNode(node),
        restartPolicy: "Never",
        // It reads the flags of the member's process and terminates it: the kubelet restarts it with the new ones.
        hostPID: true,
        containers: [
            {
                name: etcdUpdateApp,
                image: images.node,
                ...lastWords,
                command: ["node", `${programPath}/etcd-update.js`, `${planPath}/plan.json`],
                resources: { requests: { cpu: "20m", memory: "64Mi" } },
                // Root without capabilities: it reads and writes root's files.
                securityContext: confined,
                volumeMounts: [
                    { name: "program", mountPath: programPath, readOnly: true },
                    { name: "plan", mountPath: planPath, readOnly: true },
                    { name: "etcd", mountPath: etcdPath, readOnly: true },
                    { name: "pki", mountPath: pki, readOnly: true },
                    { name: "static-pods", mountPath: staticPods },
                    { name: "pod-logs", mountPath: podLogs, readOnly: true },
                    // For the locks next to the data.
                    { name: "data", mountPath: data },
                    { name: "state", mountPath: state },
                ],
            },
        ],
        volumes: [
            { name: "program", configMap: { name: id, items: [{ key: "etcd-update.js", path: "etcd-update.js" }] } },
            { name: "plan", configMap: { name: id, items: [{ key: "plan.json", path: "plan.json" }] } },
            // So that the image is on the machine before the member stops.
            { name: "etcd", image: { reference: images.etcd, pullPolicy: "IfNotPresent" } },
            { name: "pki", hostPath: { path: pki, type: "Directory" } },
            { name: "static-pods", hostPath: { path: staticPods, type: "Directory" } },
            // Only the names matter: they show how often the kubelet has started the member.
            { name: "pod-logs", hostPath: { path: podLogs, type: "Directory" } },
            { name: "data", hostPath: { path: data, type: "Directory" } },
            { name: "state", hostPath: { path: state, type: "DirectoryOrCreate" } },
        ],
    };
}
