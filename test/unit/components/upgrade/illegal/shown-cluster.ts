import { keysAnnotations } from "../../../../../cluster/keys/lists";
import { poolLabel } from "../../../../../cluster/labels";
import { firstStart } from "../../../../../cluster/machines/bootstrap/assets";
import { controlPlane } from "../../../../../cluster/manifests/control-plane";
import { placeholderCredentials } from "../../../../../cluster/manifests/control-plane/placeholder";
import { secretsRewriteJobName } from "../../../../../cluster/manifests/control-plane/secrets-rewrite";
import { etcdStaticPod } from "../../../../../cluster/manifests/etcd/member";
import { nodeAgent } from "../../../../../cluster/manifests/nodes/node-agent";
import { type Cluster, nodesByPool } from "../../../../../cluster/model";
import { resolveCluster } from "../../../../../cluster/resolve";
import { poolDownloads, type Shown, type Situation } from "./situation";

const namespace = "kube-system";
const components = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"];
export const conditions = (isReady: boolean) => [{ type: "Ready", status: isReady ? "True" : "False" }];

export const base = {
    name: "c",
    kubernetesVersion: "1.36.3",
    controllers: { count: 3 as const },
    workerPools: [{ name: "a" }],
};

/** The cluster with this configuration. */
export function reportedCluster({
    kubernetesVersion = "1.35.4",
    etcdVersion,
    ...options
}: Situation["reported"] = {}): Cluster {
    const cluster = resolveCluster({ ...base, ...options });
    const etcd = etcdVersion ?? cluster.versions.etcd;
    return {
        ...cluster,
        versions: { ...cluster.versions, kubernetes: kubernetesVersion as never, etcd: etcd as never },
        images: {
            ...cluster.images,
            etcd: `quay.io/coreos/etcd:v${etcd}`,
            kubeApiserver: `registry.k8s.io/kube-apiserver:v${kubernetesVersion}`,
        },
    };
}

/** Everything that a preview reads of a healthy cluster with its last configuration. */
export function shownCluster(cluster: Cluster, { toldDownloads }: Situation): Shown[] {
    const { versions, controllers, keys } = cluster;
    const pools = Object.entries(nodesByPool(cluster));
    const agents = poolDownloads(versions.kubernetes, toldDownloads).flatMap(({ pool, downloads, architecture }) => {
        const shapes = nodeAgent(cluster, { pool, downloads, maxUnavailable: 1 }, "") as unknown as Shown[];
        const { spec } = shapes.find(({ kind }) => kind === "DaemonSet") as never as { spec: { template: Shown } };
        const nodes = pools.find(([name]) => name === pool)![1];
        return [
            ...shapes,
            ...nodes.map((name) => node(name, { kubelet: versions.kubernetes, pool, architecture })),
            ...nodes.map((name) => agentPod(`node-agent-${name}`, name, spec.template)),
        ];
    });
    const etcd = controllers.names.map((name, index) => {
        const start = firstStart({ name, address: `10.0.0.${11 + index}` });
        const shape = etcdStaticPod(cluster, start) as unknown as Shown & { spec: object };
        const metadata = { ...shape.metadata, name: `etcd-${name}`, namespace };
        return { ...shape, metadata, spec: { ...shape.spec, nodeName: name }, status: {} };
    });
    const pods = [...components, "kube-proxy"].flatMap((name) =>
        controllers.names.map((on) => pod(name, versions.kubernetes, { on, annotations: keysAnnotations(keys) })),
    );
    const sets = controlPlane(cluster, placeholderCredentials(cluster)) as unknown as Shown[];
    return [
        ...sets.map((each) => ({ ...each, status: {} })),
        ...pods,
        ...agents,
        ...etcd,
        etcdStatus(controllers.names.map((name) => ({ name, version: versions.etcd }))),
        { kind: "Deployment", metadata: { name: "etcd-keeper", namespace }, spec: { replicas: 1 }, ...lacking(1, 1) },
        { kind: "Namespace", metadata: { name: namespace } },
        { kind: "Job", metadata: { name: secretsRewriteJobName(keys), namespace }, status: { succeeded: 1 } },
    ];
}

/** A pod of a control plane component or kube-proxy on a node. */
export function pod(
    name: string,
    version: string,
    { on = "c-controller-0", annotations, startTime = "2026-01-01T00:00:00Z", command }: PodOptions = {},
): Shown {
    const containers = [{ name, image: `registry.k8s.io/${name}:v${version}`, command }];
    const metadata = { name: `${name}-${on}`, namespace, labels: { "k8s-app": name }, annotations };
    return {
        kind: "Pod",
        metadata,
        spec: { nodeName: on, containers },
        status: { startTime, conditions: conditions(true) },
    };
}

interface PodOptions {
    readonly on?: string;
    readonly annotations?: Record<string, string>;
    /** RFC 3339. */
    readonly startTime?: string;
    /** @default none */
    readonly command?: readonly string[];
}

function agentPod(name: string, nodeName: string, { metadata, spec }: Shown): Shown {
    const status = { conditions: conditions(true) };
    return { kind: "Pod", metadata: { ...metadata, name, namespace }, spec: { ...(spec as object), nodeName }, status };
}

/** A failing node-agent. */
export function failingAgent(nodeName: string): Shown {
    const metadata = { name: `node-agent-${nodeName}`, namespace, labels: { "k8s-app": "node-agent" } };
    const spec = { nodeName, containers: [{ name: "node-agent", image: "" }] };
    return { kind: "Pod", metadata, spec, status: { conditions: conditions(false) } };
}

interface NodeOptions {
    readonly kubelet: string;
    /** `null` for a node that joined by hand. @default a */
    readonly pool?: string | null;
    readonly isReady?: boolean;
    readonly architecture?: string;
}

export function node(
    name: string,
    { kubelet, pool = "a", isReady = true, architecture = "amd64" }: NodeOptions,
): Shown {
    const role: Record<string, string> = pool === "controller" ? { "node-role.kubernetes.io/control-plane": "" } : {};
    const labels = { ...role, ...(pool !== null && { [poolLabel]: pool }), "kubernetes.io/hostname": name };
    const nodeInfo = { kubeletVersion: `v${kubelet}`, architecture };
    return { kind: "Node", metadata: { name, labels }, status: { conditions: conditions(isReady), nodeInfo } };
}

/** Report of etcd's keeper. */
export function etcdStatus(members?: readonly object[], more: object = {}): Shown {
    const data = members === undefined ? {} : { members: JSON.stringify({ members, ...more }) };
    return { kind: "ConfigMap", metadata: { name: "etcd-status", namespace }, data };
}

/** Status of a workload with some of its pods Ready. */
export function lacking(ready: number, desired: number) {
    return { status: { desiredNumberScheduled: desired, numberReady: ready, readyReplicas: ready } };
}
