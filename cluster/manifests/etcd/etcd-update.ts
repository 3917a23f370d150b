import { type EtcdUpdatePlan, gaveUpCode } from "../../../agents/etcd/update/plan";
import type { Machine } from "../../keys/credentials";
import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { ports } from "../../network/ports";
import { paths } from "../../paths";
import { agentFiles, agentPod, onMemberNode, programPath } from "../agent-workloads";
import { configMap } from "../objects";
import { fromConfigMap, fromHost, fromImage, type Mounted, type PodSpec } from "../pod";
import { clientUrl, type EtcdStart, etcdStaticPod } from "./member";

/** Label of its Jobs and their pods. */
export const etcdUpdateApp = "etcd-update";

const planPath = "/etc/tradewind/etcd-update";
/** Path of the new etcd binary, which is checked for support of the flags. */
const etcdPath = "/opt/tradewind/etcd";

export interface EtcdUpdateOptions {
    /** Name of the Job: another attempt is another Job. */
    readonly id: string;
    readonly start: EtcdStart;
    /** All members, including this one. */
    readonly members: readonly Machine[];
    /** Digest of the image that its container runs. @default - unknown */
    readonly digest?: string;
}

/** How a member must run. */
export function etcdUpdatePlan(cluster: Cluster, { id, start, members, digest }: EtcdUpdateOptions): EtcdUpdatePlan {
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
        ...(digest !== undefined && { digest }),
    };
}

/** The agent's source text and its plan. */
export function etcdUpdateConfig(plan: EtcdUpdatePlan, agent: string): Manifest {
    return configMap(plan.id, agentFiles(etcdUpdateApp, agent, plan), { immutable: true });
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

function podSpec(cluster: Cluster, node: string, id: string): PodSpec {
    // It reads the flags of the member's process and terminates it: the kubelet restarts it with the new ones.
    const placement = { ...onMemberNode(node), restartPolicy: "Never", hostPID: true };
    // Root without capabilities: it reads and writes root's files.
    return agentPod(cluster, etcdUpdateApp, placement, {
        args: [`${planPath}/plan.json`],
        mounted: [
            fromFile("program", id, `${etcdUpdateApp}.js`, programPath(etcdUpdateApp)),
            fromFile("plan", id, "plan.json", planPath),
            // So that the image is on the machine before the member stops.
            fromImage("etcd", cluster.images.etcd, etcdPath),
            fromHost("pki", paths.etcdPki, { readOnly: true }),
            fromHost("static-pods", paths.staticPods),
            // Only the names matter: they show how often the kubelet has started the member.
            fromHost("pod-logs", paths.podLogs, { readOnly: true }),
            // For the locks next to the data.
            fromHost("data", paths.etcdData),
            fromHost("state", paths.etcdUpdateState, {}, "DirectoryOrCreate"),
        ],
    });
}

/** One file of a ConfigMap. */
function fromFile(volume: string, configMap: string, file: string, mountPath: string): Mounted {
    const { mount } = fromConfigMap(volume, configMap, mountPath);
    return { mount, volume: { name: volume, configMap: { name: configMap, items: [{ key: file, path: file }] } } };
}
