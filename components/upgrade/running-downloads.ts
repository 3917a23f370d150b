import {
    cniPluginsAnnotation,
    containerRuntimeAnnotation,
    type NodeAgentPlan,
    type RuntimeSource,
    type Source,
} from "../../agents/nodes/node-agent/plan";
import { type ApiClient, list } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import { kubeletVersion } from "../../clients/kubernetes/nodes";
import {
    type ConfigMap,
    type DaemonSet,
    isReady,
    type Node,
    type Pod,
    type PodSpec,
} from "../../clients/kubernetes/objects";
import { poolLabel } from "../../cluster/labels";
import { plainVersion } from "../../cluster/upgrades/version";

/** The part of a plan that lists a node's downloads. */
export type NodeDownloadsInUse = Pick<NodeAgentPlan, "desired" | "kubelets" | "cniPlugins" | "containerRuntime">;

/** Files on a node, as far as its node-agent has found them up to date. */
export interface NodeFiles {
    readonly node: string;
    readonly architecture: string;
    /** @default - unknown: its agent has no download of this version */
    readonly kubelet?: Source & { readonly version: string };
    /** @default - unknown: an annotation may have selected another than the pool's */
    readonly cniPlugins?: Source;
    /** @default - unknown: the image's own, or an annotation may have selected another than the pool's */
    readonly containerRuntime?: RuntimeSource;
}

const system = "namespaces/kube-system";
const selector = "labelSelector=k8s-app%3Dnode-agent";

/** The last downloads given to the node-agents of each pool. */
export async function downloadsInUse(api: ApiClient): Promise<Readonly<Record<string, NodeDownloadsInUse>>> {
    const sets = await list<DaemonSet>(api, `/apis/apps/v1/${system}/daemonsets?${selector}`);
    const plans = await plansOf(
        api,
        sets.map(({ spec }) => spec?.template.spec),
    );
    const reported = sets.flatMap(({ metadata, spec }) => {
        const pool = metadata.labels?.[poolLabel];
        const plan = plans.get(planName(spec?.template.spec));
        return pool === undefined || plan === undefined ? [] : [[pool, plan] as const];
    });
    return Object.fromEntries(reported);
}

/** Files on nodes with a Ready node-agent: it is only Ready when its node is up to date. */
export async function nodeFiles(api: ApiClient): Promise<NodeFiles[]> {
    const [pods, nodes] = await Promise.all([
        list<Pod>(api, `/api/v1/${system}/pods?${selector}`),
        list<Node>(api, "/api/v1/nodes"),
    ]);
    const ready = pods.filter(({ status }) => isReady(status)).map(({ spec }) => spec);
    const plans = await plansOf(api, ready);
    return ready.flatMap((spec) => {
        const node = nodes.find(({ metadata }) => metadata.name === spec.nodeName);
        const plan = plans.get(planName(spec));
        return node === undefined || plan === undefined ? [] : [filesOf(node, plan)];
    });
}

function filesOf(node: Node, { kubelets, cniPlugins, containerRuntime }: NodeDownloadsInUse): NodeFiles {
    const { metadata, status } = node;
    const version = plainVersion(kubeletVersion(node));
    const kubelet = kubelets[version];
    const isItsOwn = (annotation: string) => metadata.annotations?.[annotation] !== undefined;
    return {
        node: metadata.name,
        architecture: status?.nodeInfo?.architecture ?? "",
        ...(kubelet && { kubelet: { version, ...kubelet } }),
        ...(!isItsOwn(cniPluginsAnnotation) && { cniPlugins }),
        ...(containerRuntime && !isItsOwn(containerRuntimeAnnotation) && { containerRuntime }),
    };
}

async function plansOf(
    api: ApiClient,
    specs: readonly (PodSpec | undefined)[],
): Promise<Map<string, NodeDownloadsInUse>> {
    const names = [...new Set(specs.map(planName))].filter((name) => name !== "");
    const plans = await Promise.all(
        names.map(async (name): Promise<(readonly [string, NodeDownloadsInUse])[]> => {
            const path = `/api/v1/${system}/configmaps/${name}`;
            const config = await ifFound(api.call<ConfigMap>(path));
            const plan = config?.data?.["plan.json"];
            return plan === undefined ? [] : [[name, JSON.parse(plan)]];
        }),
    );
    return new Map(plans.flat());
}

/** The ConfigMap with an agent's plan. */
function planName(spec: PodSpec | undefined): string {
    return (
        (spec?.volumes ?? [])
            .map(({ configMap }) => configMap?.name ?? "")
            .find((name) => name.startsWith("node-agent-")) ?? ""
    );
}
