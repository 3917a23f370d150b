import { runtimeId } from "../../../agents/nodes/node-agent/layout";
import {
    cniPluginsAnnotation,
    containerRuntimeAnnotation,
    defaultLimits,
    type KubeletIdentity,
    type NodeAgentPlan,
    type RuntimeSource,
    readyGate,
    versionAnnotation,
} from "../../../agents/nodes/node-agent/plan";
import { clusterApiServer, localApiServer } from "../../api-server";
import type { ContainerRuntime, Download, NodeDownloads } from "../../downloads";
import { authorityName, hasFirstAuthority, trustedAuthorities } from "../../keys/authorities";
import { firstKeys, keysAnnotations } from "../../keys/lists";
import { kubeletSettings } from "../../kubelet-settings";
import { poolLabel } from "../../labels";
import { type Manifest, mapValues, priorities } from "../../manifest";
import { type Cluster, nodesByPool } from "../../model";
import { ports } from "../../network/ports";
import { paths } from "../../paths";
import type { Departures } from "../../resolve";
import { immutableConfigMap } from "../agent-workloads";
import { confined, lastWords, type PodSpec } from "../pod";
import { nodeAuthorities } from "./node-authorities";

const name = "node-agent";
const programPath = `/opt/tradewind/${name}`;
const caPath = "/etc/tradewind/ca";

/** The nodes of a pool; `controller` is a pool too. */
export interface NodeAgentPool {
    readonly pool: string;
    readonly downloads: NodeDownloads;
    /** How many of its nodes may be without a Ready kubelet at the same time. */
    readonly maxUnavailable: number;
    /** Drain timeout. @default - the agent's own limit */
    readonly drainSeconds?: number;
    /** @default its machines are not terminated by a cloud */
    readonly departures?: Departures;
}

/**
 * Keeps kubelets, CNI plugins and container runtimes of a pool at the cluster's versions, node by node:
 * docs/kubelets.md.
 */
export function nodeAgent(cluster: Cluster, pool: NodeAgentPool, program: string): Manifest[] {
    const plan = nodeAgentPlan(cluster, pool);
    const data = { [`${name}.js`]: program, "plan.json": `${JSON.stringify(plan, null, 2)}\n` };
    const config = immutableConfigMap(`${name}-${pool.pool}`, data);
    return [config, daemonSet(cluster, pool, plan, config.metadata.name)];
}

/** Plan of the agent. */
export function nodeAgentPlan(cluster: Cluster, agents: NodeAgentPool): NodeAgentPlan {
    const { pool, downloads, departures, drainSeconds = defaultLimits.drain } = agents;
    const { kubernetes } = cluster.versions;
    const isController = pool === "controller";
    return {
        wanted: kubernetes,
        settings: kubeletSettings(cluster, pool),
        ...(!hasFirstAuthority(cluster.keys) && { identity: kubeletIdentity(cluster) }),
        kubelets: mapValues({ [kubernetes]: downloads.kubelet, ...downloads.otherKubelets }, inOneOrder),
        cniPlugins: inOneOrder(downloads.cniPlugins),
        ...(downloads.otherCniPlugins && { otherCniPlugins: downloads.otherCniPlugins.map(inOneOrder) }),
        ...(downloads.containerRuntime && { containerRuntime: runtimeSource(downloads.containerRuntime) }),
        ...(downloads.otherContainerRuntimes && {
            otherContainerRuntimes: downloads.otherContainerRuntimes.map(runtimeSource),
        }),
        hasOtherNodes: Object.values(nodesByPool(cluster)).flat().length > 1,
        removesEndedPods: !isController,
        ...(cluster.osReboots && { rebootsOs: true }),
        ...departures,
        ...(yieldsLead(cluster, pool) && {
            etcd: { endpoint: `https://127.0.0.1:${ports.etcdClient}`, pki: paths.etcdPki },
        }),
        apiServers: [...(isController ? [localApiServer] : []), clusterApiServer(cluster)],
        credentials: { ca: `${caPath}/ca.crt`, client: paths.kubeletClient },
        directories: {
            kubelets: paths.kubelets,
            cni: paths.cni,
            ...(downloads.containerRuntime && { containerRuntime: paths.containerRuntimes }),
            state: paths.nodeAgentState,
        },
        kubeletHealthz: `http://127.0.0.1:${ports.kubeletHealthz}/healthz`,
        healthPort: ports.nodeAgentHealthz,
        // Omitted if it is the agent's default, so that nothing is rolled out.
        ...(drainSeconds !== defaultLimits.drain && { limits: { drain: drainSeconds } }),
    };
}

/** In a fixed order, so that the same download is not rolled out again. */
function inOneOrder({ urls, sha256 }: Download): Download {
    return { urls, sha256 };
}

function runtimeSource({ containerd, runc }: ContainerRuntime): RuntimeSource {
    return { containerd: inOneOrder(containerd), runc: inOneOrder(runc) };
}

function kubeletIdentity(cluster: Cluster): KubeletIdentity {
    const { keys, certificates, controllers } = cluster;
    return {
        authorities: trustedAuthorities(keys).map(authorityName),
        issuer: authorityName(keys.kubernetesCa[0]!),
        asksForServer: certificates.kubeletServing !== "own",
        apiServer: clusterApiServer(cluster),
        // It starts while there is no other.
        otherApiServers: { [controllers.names[0]!]: localApiServer },
        directory: paths.kubeletPki,
    };
}

/** Whether its nodes move etcd's leadership to another member before they are rebooted. */
function yieldsLead({ osReboots }: Cluster, pool: string): boolean {
    return osReboots !== undefined && pool === "controller";
}

function daemonSet(cluster: Cluster, agents: NodeAgentPool, plan: NodeAgentPlan, config: string): Manifest {
    const { pool, maxUnavailable } = agents;
    const labels = { "k8s-app": name, [poolLabel]: pool };
    return {
        apiVersion: "apps/v1",
        kind: "DaemonSet",
        metadata: { name: `${name}-${pool}`, namespace: "kube-system", labels },
        spec: {
            selector: { matchLabels: labels },
            // Its pods are Ready when their nodes are up to date: this is the order in which kubelets are upgraded.
            updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable } },
            template: {
                metadata: { labels, annotations: { ...whatChanges(plan), ...nodeAgentKeys(cluster) } },
                spec: podSpec(cluster, agents, config),
            },
        },
    };
}

/** The CAs of its kubelet once a pod is Ready, if they differ from the initial ones. */
function nodeAgentKeys({ keys: { kubernetesCa } }: Cluster): Record<string, string> | undefined {
    return keysAnnotations({ ...firstKeys, kubernetesCa });
}

/** Shown in previews: the rest is in a ConfigMap with another name. */
function whatChanges({
    wanted,
    settings: { id, flags },
    cniPlugins,
    containerRuntime,
}: NodeAgentPlan): Record<string, string> {
    return {
        [versionAnnotation]: wanted,
        "tradewind.dev/kubelet-settings": [id, ...flags].join(" "),
        [cniPluginsAnnotation]: cniPlugins.sha256.slice(0, 12),
        ...(containerRuntime && { [containerRuntimeAnnotation]: runtimeId(containerRuntime) }),
    };
}

/**
 * The agent uses its node's kubelet credentials, which may change that node and evict its pods, but not change other
 * nodes.
 */
function podSpec(cluster: Cluster, { pool, departures, downloads }: NodeAgentPool, config: string): PodSpec {
    const { images, keys } = cluster;
    const hasEtcd = yieldsLead(cluster, pool);
    // Read-only as long as there is nothing to change.
    const kubeletPki = { name: "kubelet-pki", mountPath: paths.kubeletPki, readOnly: hasFirstAuthority(keys) };
    const probe = (path: string) => ({ httpGet: { host: "127.0.0.1", port: ports.nodeAgentHealthz, path } });
    return {
        hostNetwork: true,
        dnsPolicy: "Default",
        priorityClassName: priorities.node.name,
        automountServiceAccountToken: false,
        readinessGates: [{ conditionType: readyGate }],
        enableServiceLinks: false,
        nodeSelector: { [poolLabel]: pool },
        tolerations: [{ operator: "Exists" }],
        terminationGracePeriodSeconds: 5,
        securityContext: { runAsUser: 0, runAsGroup: 0, seccompProfile: { type: "RuntimeDefault" } },
        containers: [
            {
                name,
                image: images.node,
                ...lastWords,
                command: [
                    "node",
                    // It runs on every node and needs few resources.
                    "--max-semi-space-size=1",
                    "--max-old-space-size=64",
                    `${programPath}/${name}.js`,
                    `${programPath}/plan.json`,
                ],
                env: [
                    { name: "NODE_NAME", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } },
                    { name: "POD_UID", valueFrom: { fieldRef: { fieldPath: "metadata.uid" } } },
                    ...(departures ? [nodeAuthorities.env] : []),
                ],
                resources: { requests: { cpu: "10m", memory: "64Mi" } },
                securityContext: confined,
                readinessProbe: { ...probe("/readyz"), periodSeconds: 1 },
                livenessProbe: { ...probe("/livez"), periodSeconds: 10, failureThreshold: 6 },
                volumeMounts: [
                    { name: "program", mountPath: programPath, readOnly: true },
                    { name: "ca", mountPath: caPath, readOnly: true },
                    { name: "kubelets", mountPath: paths.kubelets },
                    { name: "cni", mountPath: paths.cni },
                    ...(downloads.containerRuntime ? [{ name: "runtimes", mountPath: paths.containerRuntimes }] : []),
                    { name: "state", mountPath: paths.nodeAgentState },
                    kubeletPki,
                    ...(departures ? [nodeAuthorities.mount] : []),
                    ...(hasEtcd ? [{ name: "pki", mountPath: paths.pki, readOnly: true }] : []),
                ],
            },
        ],
        volumes: [
            { name: "program", configMap: { name: config } },
            // Kubernetes keeps it in every namespace. The host's copy is next to keys.
            { name: "ca", configMap: { name: "kube-root-ca.crt" } },
            { name: "kubelets", hostPath: { path: paths.kubelets, type: "Directory" } },
            { name: "cni", hostPath: { path: paths.cni, type: "Directory" } },
            // Machines created without one have none.
            ...(downloads.containerRuntime
                ? [{ name: "runtimes", hostPath: { path: paths.containerRuntimes, type: "DirectoryOrCreate" } }]
                : []),
            { name: "state", hostPath: { path: paths.nodeAgentState, type: "DirectoryOrCreate" } },
            { name: "kubelet-pki", hostPath: { path: paths.kubeletPki, type: "Directory" } },
            ...(departures ? [nodeAuthorities.volume] : []),
            // On a joining controller, the member's directory in it is created later.
            ...(hasEtcd ? [{ name: "pki", hostPath: { path: paths.pki, type: "Directory" } }] : []),
        ],
    };
}
