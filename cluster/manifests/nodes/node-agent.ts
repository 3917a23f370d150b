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
import type { ContainerRuntime, Download, NodeDownloads } from "../../downloads";
import { caName, hasFirstCa, trustedCaGenerations } from "../../keys/kubernetes-ca";
import { firstKeys, keysAnnotations } from "../../keys/lists";
import { kubeletSettings } from "../../kubelet-settings";
import { poolLabel } from "../../labels";
import { type Manifest, mapValues, priorities } from "../../manifest";
import { type Cluster, nodesByPool } from "../../model";
import { clusterApiServer, localApiServer, ports } from "../../network/ports";
import { paths } from "../../paths";
import type { Departures } from "../../resolve";
import { agentFiles, agentPod, fromProgram, healthProbes, ownNodeEnv } from "../agent-workloads";
import { daemonSet, immutableConfigMap } from "../objects";
import { asRoot, everywhere, fromConfigMap, fromHost, nodeCas, type PodSpec } from "../pod";
import { proxyEnv } from "../proxy-env";

const name = "node-agent";
const caPath = "/etc/tradewind/ca";

/** The nodes of a pool; `controller` is a pool too. */
export interface NodeAgentPool {
    readonly pool: string;
    readonly downloads: NodeDownloads;
    /** How many of its nodes, or which percentage, may be without a Ready kubelet at the same time. */
    readonly maxUnavailable: number | string;
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
    const config = immutableConfigMap(`${name}-${pool.pool}`, agentFiles(name, program, plan));
    const { maxUnavailable } = pool;
    return [
        config,
        daemonSet(`${name}-${pool.pool}`, podSpec(cluster, pool, config.metadata.name), {
            labels: { "k8s-app": name, [poolLabel]: pool.pool },
            annotations: { ...whatChanges(plan), ...nodeAgentKeys(cluster) },
            // Its pods are Ready when their nodes are up to date: this is the order in which kubelets are upgraded.
            rollingUpdate: { maxSurge: 0, maxUnavailable },
        }),
    ];
}

/** Plan of the agent. */
export function nodeAgentPlan(cluster: Cluster, agents: NodeAgentPool): NodeAgentPlan {
    const { pool, downloads, departures, drainSeconds = defaultLimits.drain } = agents;
    const { kubernetes } = cluster.versions;
    const isController = pool === "controller";
    return {
        desired: kubernetes,
        settings: kubeletSettings(cluster, pool),
        ...(!hasFirstCa(cluster.keys) && { identity: kubeletIdentity(cluster) }),
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
        ...(!isController && cluster.apiIdleSeconds && { apiIdleSeconds: cluster.apiIdleSeconds }),
        credentials: { ca: `${caPath}/ca.crt`, client: paths.kubeletClient },
        directories: {
            kubelets: paths.kubelets,
            cni: paths.cni,
            ...(downloads.containerRuntime && { containerRuntime: paths.containerRuntimes }),
            state: paths.nodeAgentState,
        },
        kubeletHealthz: `http://127.0.0.1:${ports.kubeletHealthz}/healthz`,
        healthPort: ports.nodeAgentHealthz,
        ...(cluster.network.cni === "none" && { hasOwnCni: true }),
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
        authorities: trustedCaGenerations(keys).map(caName),
        issuer: caName(keys.kubernetesCa[0]!),
        asksForServer: certificates.kubeletServing !== "own",
        apiServer: clusterApiServer(cluster),
        // It starts while there is no other.
        otherApiServers: { [controllers.names[0]!]: localApiServer },
        directory: paths.kubeletPki,
    };
}

/** Whether its nodes move etcd's leadership to another member before they are rebooted. */
function yieldsLead({ osReboots, controllers }: Cluster, pool: string): boolean {
    return osReboots !== undefined && ["controller", controllers.arbiter?.name].includes(pool);
}

/** The CAs of its kubelet once a pod is Ready, if they differ from the initial ones. */
function nodeAgentKeys({ keys: { kubernetesCa } }: Cluster): Record<string, string> | undefined {
    return keysAnnotations({ ...firstKeys, kubernetesCa });
}

/** Shown in previews: the rest is in a ConfigMap with another name. */
function whatChanges({
    desired,
    settings: { id, flags },
    cniPlugins,
    containerRuntime,
}: NodeAgentPlan): Record<string, string> {
    return {
        [versionAnnotation]: desired,
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
    const placement = {
        hostNetwork: true,
        dnsPolicy: "Default",
        priorityClassName: priorities.node.name,
        automountServiceAccountToken: false,
        readinessGates: [{ conditionType: readyGate }],
        enableServiceLinks: false,
        nodeSelector: { [poolLabel]: pool },
        tolerations: everywhere,
        terminationGracePeriodSeconds: 5,
        securityContext: asRoot,
    };
    return agentPod(cluster, name, placement, {
        // It runs on every node and needs few resources.
        options: ["--max-semi-space-size=1", "--max-old-space-size=64"],
        env: [...ownNodeEnv, ...(departures ? [nodeCas.env] : []), ...proxyEnv(cluster)],
        cpu: "10m",
        probes: healthProbes(ports.nodeAgentHealthz),
        mounted: [
            fromProgram(name, config),
            // Kubernetes keeps it in every namespace. The host's copy is next to keys.
            fromConfigMap("ca", "kube-root-ca.crt", caPath),
            fromHost("kubelets", paths.kubelets),
            fromHost("cni", paths.cni),
            // Machines created without one have none.
            ...(downloads.containerRuntime
                ? [fromHost("runtimes", paths.containerRuntimes, {}, "DirectoryOrCreate")]
                : []),
            fromHost("state", paths.nodeAgentState, {}, "DirectoryOrCreate"),
            // Read-only as long as there is nothing to change.
            fromHost("kubelet-pki", paths.kubeletPki, { readOnly: hasFirstCa(cluster.keys) }),
            ...(departures ? [nodeCas] : []),
            // On a joining controller, the member's directory in it is created later.
            ...(yieldsLead(cluster, pool) ? [fromHost("pki", paths.pki, { readOnly: true })] : []),
        ],
    });
}
