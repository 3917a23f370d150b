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

/** The nodes of a pool, `controller` among them. */
export interface NodeAgentPool {
    readonly pool: string;
    readonly downloads: NodeDownloads;
    /** How many of its nodes may be without a kubelet that is Ready at a time. */
    readonly maxUnavailable: number;
    /** In which a node is to be drained. @default - the agent's own limit */
    readonly drainSeconds?: number;
    /** @default its machines are not taken away */
    readonly departures?: Departures;
}

/** What keeps kubelets, CNI plugins and container runtimes of a pool at those of the cluster, one node after the other: docs/upgrades.md. */
export function nodeAgent(cluster: Cluster, pool: NodeAgentPool, program: string): Manifest[] {
    const plan = nodeAgentPlan(cluster, pool);
    const data = { [`${name}.js`]: program, "plan.json": `${JSON.stringify(plan, null, 2)}\n` };
    const config = immutableConfigMap(`${name}-${pool.pool}`, data);
    return [config, daemonSet(cluster, pool, plan, config.metadata.name)];
}

/** What the agent is told. */
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
        // Left out where it is the agent's own, so that it rolls nothing.
        ...(drainSeconds !== defaultLimits.drain && { limits: { drain: drainSeconds } }),
    };
}

/** However it was written, so that the same one rolls nothing. */
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
        // It starts when there is no other.
        otherApiServers: { [controllers.names[0]!]: localApiServer },
        directory: paths.kubeletPki,
    };
}

/** Whether its nodes have another member lead etcd before they are rebooted. */
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
            // Its pods are Ready when their nodes are: this is the order in which kubelets are upgraded.
            updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable } },
            template: {
                metadata: { labels, annotations: { ...whatChanges(plan), ...nodeAgentKeys(cluster) } },
                spec: podSpec(cluster, agents, config),
            },
        },
    };
}

/** Which authorities its kubelet has once a pod is Ready, where they are others than a cluster begins with. */
function nodeAgentKeys({ keys: { kubernetesCa } }: Cluster): Record<string, string> | undefined {
    return keysAnnotations({ ...firstKeys, kubernetesCa });
}

/** For those who read the preview: the rest is in a ConfigMap of another name. */
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

/** The agent acts as its node's kubelet, which may change that node, evict its pods, and nothing of another node. */
function podSpec(cluster: Cluster, { pool, departures, downloads }: NodeAgentPool, config: string): PodSpec {
    const { images, keys } = cluster;
    const hasEtcd = yieldsLead(cluster, pool);
    // What is read only stays so while there is nothing to change.
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
                    // It lives on every node, and needs little.
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
            // Kubernetes keeps it in every namespace. The host's lies beside keys.
            { name: "ca", configMap: { name: "kube-root-ca.crt" } },
            { name: "kubelets", hostPath: { path: paths.kubelets, type: "Directory" } },
            { name: "cni", hostPath: { path: paths.cni, type: "Directory" } },
            // On machines that were made without one there is none.
            ...(downloads.containerRuntime
                ? [{ name: "runtimes", hostPath: { path: paths.containerRuntimes, type: "DirectoryOrCreate" } }]
                : []),
            { name: "state", hostPath: { path: paths.nodeAgentState, type: "DirectoryOrCreate" } },
            { name: "kubelet-pki", hostPath: { path: paths.kubeletPki, type: "Directory" } },
            ...(departures ? [nodeAuthorities.volume] : []),
            // Of a controller that joins, the directory in it of its member comes later.
            ...(hasEtcd ? [{ name: "pki", hostPath: { path: paths.pki, type: "Directory" } }] : []),
        ],
    };
}
