import { type EtcdUpdatePlan, gaveUpCode } from "../../../agents/etcd/update/plan";
import type { Machine } from "../../keys/credentials";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { ports } from "../../network/ports";
import { paths } from "../../paths";
import { onMemberNode } from "../agent-workloads";
import { confined, lastWords, type PodSpec } from "../pod";
import { clientUrl, type EtcdStart, etcdStaticPod } from "./member";

/** Of its Jobs and their pods. */
export const etcdUpdateApp = "etcd-update";

const programPath = "/opt/tradewind/etcd-update";
const planPath = "/etc/tradewind/etcd-update";
/** Where the program to come is, of which it is asked whether it knows the flags. */
const etcdPath = "/opt/tradewind/etcd";

export interface EtcdUpdateOptions {
    /** Name of the Job: another try is another Job. */
    readonly id: string;
    readonly start: EtcdStart;
    /** All members, this one among them. */
    readonly members: readonly Machine[];
}

/** How a member is to run. */
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

/** The agent's text and its plan. */
export function etcdUpdateConfig(plan: EtcdUpdatePlan, agent: string): Manifest {
    return {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: plan.id, namespace: "kube-system" },
        immutable: true,
        data: { "etcd-update.js": agent, "plan.json": `${JSON.stringify(plan, null, 2)}\n` },
    };
}

/** Has the member of a controller run otherwise. Its pod is made again unless the agent gave up. */
export function etcdUpdateJob(cluster: Cluster, node: string, id: string): Manifest {
    return {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: id, namespace: "kube-system", labels: { "k8s-app": etcdUpdateApp } },
        spec: {
            backoffLimit: 20,
            // What it said last is in the error of `up`.
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
        // It looks at the flags of the member's process, and ends it: the kubelet starts it with the new ones.
        hostPID: true,
        containers: [
            {
                name: etcdUpdateApp,
                image: images.node,
                ...lastWords,
                command: ["node", `${programPath}/etcd-update.js`, `${planPath}/plan.json`],
                resources: { requests: { cpu: "20m", memory: "64Mi" } },
                // Root without rights: what it reads and writes is root's alone.
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
            // Its image is on the machine then, before the member stops for it.
            { name: "etcd", image: { reference: images.etcd, pullPolicy: "IfNotPresent" } },
            { name: "pki", hostPath: { path: pki, type: "Directory" } },
            { name: "static-pods", hostPath: { path: staticPods, type: "Directory" } },
            // Of which only the names matter: how often the kubelet started the member.
            { name: "pod-logs", hostPath: { path: podLogs, type: "Directory" } },
            { name: "data", hostPath: { path: data, type: "Directory" } },
            { name: "state", hostPath: { path: state, type: "DirectoryOrCreate" } },
        ],
    };
}
