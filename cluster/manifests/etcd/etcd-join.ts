import { type EtcdJoinPlan, etcdJoinApp, initialClusterPlaceholder } from "../../../agents/etcd/join/plan";
import { memberLabel } from "../../../agents/nodes/promoter/plan";
import { controllersConfig, demotedKey } from "../../../agents/nodes/promoter/record";
import type { LastingCredentials, Machine } from "../../keys/credentials";
import { contentHash, type Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { ports } from "../../network/ports";
import { paths } from "../../paths";
import { agentContainer, fromProgram, idleContainer, onMemberNode } from "../agent-workloads";
import { configMap, daemonSet, json, secret } from "../objects";
import { fromConfigMap, fromHost, fromSecret, type PodSpec } from "../pod";
import { clientUrl, etcdStaticPod, peerUrl } from "./member";

const name = "etcd-join";
const memberPath = "/etc/tradewind/etcd-member";
const recordPath = "/etc/tradewind/controllers";

/** Seconds that the stack waits for a join: the machine may still be booting. */
const timeoutSeconds = 1800;

/**
 * How the member of an additional controller joins the others.
 *
 * @param others - its peers and those that may become one
 */
export function etcdJoinPlan(cluster: Cluster, machine: Machine, others: readonly Machine[]): EtcdJoinPlan {
    const { names, candidates } = cluster.controllers;
    const isGated = candidates.length > 0 && names.includes(machine.name);
    // While it is the only member, none of the others answers.
    const isAlone = candidates.length > 0 && names.length === 1;
    return {
        name: machine.name,
        peerUrl: peerUrl(machine),
        clientUrl: clientUrl(machine),
        healthUrl: `http://127.0.0.1:${ports.etcdMetrics}`,
        endpoints: [...others, ...(isAlone ? [machine] : [])].map(clientUrl),
        directories: { pki: paths.etcdPki, staticPods: paths.staticPods, data: paths.etcdMemberData },
        staticPod: etcdStaticPod(cluster, {
            machine,
            initialCluster: initialClusterPlaceholder,
            initialClusterState: "existing",
        }),
        ...(isGated && { demotedFile: `${recordPath}/${demotedKey(machine.name)}` }),
    };
}

/** Files of the agent: contents by file name. */
export function etcdMemberFiles(
    plan: EtcdJoinPlan,
    { etcdCa, etcdMembers }: LastingCredentials,
): Record<string, string> {
    const { cert, key } = etcdMembers[plan.name]!;
    return {
        "plan.json": json(plan),
        "ca.crt": etcdCa.cert,
        "member.crt": cert,
        "member.key": key,
    };
}

/** What a member needs to join and run. Only the node that runs its pod may read it. */
export function etcdMemberSecret(node: string, files: Record<string, string>): Manifest {
    return secret(`etcd-member-${node}`, files);
}

/** The agent's source text, in an object named by its content. */
export function etcdJoinProgram(agent: string): Manifest {
    return configMap(`${name}-${contentHash(agent)}`, { [`${name}.js`]: agent }, { immutable: true });
}

/**
 * Runs the agent on a controller as an init container, so that the pod is Ready when the member is a voter.
 *
 * The pod is kept and runs again after its node restarts: a replaced machine joins by itself.
 */
export function etcdJoinDeployment(cluster: Cluster, node: string, program: Manifest): Manifest {
    const labels = labelsOf(node);
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

/**
 * Runs the agent on a candidate while it is a controller or becomes one: node-promoter labels its Node.
 *
 * The Secret exists before that. The kubelet of a candidate cannot read it: only the pod that mounts it lets it.
 */
export function etcdJoinOfCandidate(cluster: Cluster, node: string, program: Manifest): Manifest {
    const spec = podSpec(cluster, node, program.metadata.name);
    const nodeSelector = { ...spec.nodeSelector, [memberLabel]: "joining" };
    return daemonSet(`etcd-join-${node}`, { ...spec, nodeSelector }, { labels: labelsOf(node) });
}

function labelsOf(node: string): Record<string, string> {
    return { "k8s-app": etcdJoinApp, "tradewind.dev/node": node };
}

function podSpec(cluster: Cluster, node: string, program: string): PodSpec {
    const mounted = [
        fromProgram(name, program),
        fromSecret("member", `etcd-member-${node}`, memberPath),
        fromHost("pki", paths.etcdPki, {}, "DirectoryOrCreate"),
        fromHost("static-pods", paths.staticPods),
        fromHost("data", paths.etcdData, {}, "DirectoryOrCreate"),
        // Who was demoted.
        ...(cluster.controllers.candidates.length > 0
            ? [fromConfigMap("controllers", controllersConfig, recordPath, { optional: true })]
            : []),
    ];
    return {
        ...onMemberNode(node),
        containers: [idleContainer(cluster, "joined")],
        // Root without capabilities: it writes root's files.
        initContainers: [agentContainer(cluster, name, { args: [`${memberPath}/plan.json`], mounted })],
        volumes: mounted.map(({ volume }) => volume),
    };
}
