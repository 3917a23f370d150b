import { type EtcdJoinPlan, etcdJoinApp, initialClusterPlaceholder } from "../../../agents/etcd/join/plan";
import type { LastingCredentials, Machine } from "../../keys/credentials";
import { contentHash, type Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { ports } from "../../network/ports";
import { paths } from "../../paths";
import { unprivilegedId } from "../../users";
import { onMemberNode } from "../agent-workloads";
import { confined, lastWords, type PodSpec } from "../pod";
import { clientUrl, etcdStaticPod, peerUrl } from "./member";

const programPath = "/opt/tradewind/etcd-join";
const memberPath = "/etc/tradewind/etcd-member";

/** Seconds that the stack waits for a join: the machine may still be booting. */
const timeoutSeconds = 1800;

/** How the member of an additional controller joins the others. */
export function etcdJoinPlan(cluster: Cluster, machine: Machine, others: readonly Machine[]): EtcdJoinPlan {
    return {
        name: machine.name,
        peerUrl: peerUrl(machine),
        clientUrl: clientUrl(machine),
        healthUrl: `http://127.0.0.1:${ports.etcdMetrics}`,
        endpoints: others.map(clientUrl),
        directories: { pki: paths.etcdPki, staticPods: paths.staticPods, data: paths.etcdMemberData },
        staticPod: etcdStaticPod(cluster, {
            machine,
            initialCluster: initialClusterPlaceholder,
            initialClusterState: "existing",
        }),
    };
}

/** Files of the agent: contents by file name. */
export function etcdMemberFiles(
    plan: EtcdJoinPlan,
    { etcdCa, etcdMembers }: LastingCredentials,
): Record<string, string> {
    const { cert, key } = etcdMembers[plan.name]!;
    return {
        "plan.json": `${JSON.stringify(plan, null, 2)}\n`,
        "ca.crt": etcdCa.cert,
        "member.crt": cert,
        "member.key": key,
    };
}

/** What a member needs to join and run. Only the node that runs the Job may read it. */
export function etcdMemberSecret(node: string, files: Record<string, string>): Manifest {
    return {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: `etcd-member-${node}`, namespace: "kube-system" },
        type: "Opaque",
        data: Object.fromEntries(
            Object.entries(files).map(([name, text]) => [name, Buffer.from(text).toString("base64")]),
        ),
    };
}

/** The agent's source text, in an object named by its content. */
export function etcdJoinProgram(agent: string): Manifest {
    return {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: `etcd-join-${contentHash(agent)}`, namespace: "kube-system" },
        immutable: true,
        data: { "etcd-join.js": agent },
    };
}

/**
 * Runs the agent on a controller as an init container, so that the pod is Ready when the member is a voter.
 *
 * The pod is kept and runs again after its node restarts: a replaced machine joins by itself.
 */
export function etcdJoinDeployment(cluster: Cluster, node: string, program: Manifest): Manifest {
    const labels = { "k8s-app": etcdJoinApp, "tradewind.dev/node": node };
    return {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: {
            name: `etcd-join-${node}`,
            namespace: "kube-system",
            annotations: { "pulumi.com/timeoutSeconds": String(timeoutSeconds) },
        },
        spec: {
            replicas: 1,
            // Two agents on one disk would block each other.
            strategy: { type: "Recreate" },
            progressDeadlineSeconds: timeoutSeconds,
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec: podSpec(cluster, node, program.metadata.name) },
        },
    };
}

function podSpec({ images }: Cluster, node: string, program: string): PodSpec {
    const { etcdPki: pki, staticPods, etcdData: data } = paths;
    return {
        ...onMemberNode(node),
        containers: [
            {
                name: "joined",
                image: images.pause,
                ...lastWords,
                resources: { requests: { cpu: "1m", memory: "1Mi" } },
                securityContext: { ...confined, runAsUser: unprivilegedId, runAsGroup: unprivilegedId },
            },
        ],
        initContainers: [
            {
                name: "etcd-join",
                image: images.node,
                ...lastWords,
                command: ["node", `${programPath}/etcd-join.js`, `${memberPath}/plan.json`],
                resources: { requests: { cpu: "20m", memory: "64Mi" } },
                // Root without capabilities: it writes root's files.
                securityContext: confined,
                // So that the stack shows what it is waiting for.
                terminationMessagePolicy: "FallbackToLogsOnError",
                volumeMounts: [
                    { name: "program", mountPath: programPath, readOnly: true },
                    { name: "member", mountPath: memberPath, readOnly: true },
                    { name: "pki", mountPath: pki },
                    { name: "static-pods", mountPath: staticPods },
                    { name: "data", mountPath: data },
                ],
            },
        ],
        volumes: [
            { name: "program", configMap: { name: program } },
            { name: "member", secret: { secretName: `etcd-member-${node}`, defaultMode: 0o400 } },
            { name: "pki", hostPath: { path: pki, type: "DirectoryOrCreate" } },
            { name: "static-pods", hostPath: { path: staticPods, type: "Directory" } },
            { name: "data", hostPath: { path: data, type: "DirectoryOrCreate" } },
        ],
    };
}
