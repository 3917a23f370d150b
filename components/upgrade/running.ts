import type { ApiClient } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import { type Conditions, isReady } from "../../clients/kubernetes/nodes";
import { controllerLabel } from "../../cluster/labels";
import { componentsBehind, type DeprecatedApi, type RunningCluster } from "../../cluster/upgrades/checks";
import { byVersion, plainVersion, versionOfImage } from "../../cluster/upgrades/version";
import { type RunningMember, seenEtcd } from "./etcd-changes";
import { lacks, type Workload } from "./rollout-health";

const system = "namespaces/kube-system";
export const apiserver = "kube-apiserver";

/** Components that must be healthy before an upgrade. */
const controlPlane = [apiserver, "kube-controller-manager", "kube-scheduler", "checkpointer"];

/** Components that an upgrade also waits for, but that can keep running meanwhile. */
const addons = ["flannel", "kube-proxy", "coredns"];
const nodeAgent = "node-agent";

interface List<T> {
    readonly items: readonly T[];
}

export interface DaemonSet {
    readonly spec: {
        readonly template: {
            readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
            readonly spec: { readonly containers: readonly Container[] };
        };
    };
}

interface Container {
    readonly name: string;
    readonly image: string;
    readonly command?: readonly string[];
}

interface EtcdPod extends Pod {
    readonly spec: Pod["spec"] & { readonly nodeName: string };
}

interface Pod {
    readonly metadata?: { readonly deletionTimestamp?: string };
    readonly spec: { readonly nodeName?: string; readonly containers: readonly Container[] };
    readonly status: Conditions & { readonly phase?: string };
}

interface Node {
    readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
    readonly status: Conditions & { readonly nodeInfo: { readonly kubeletVersion: string } };
}

/** The last configuration of kube-apiserver, from its DaemonSet. */
export interface Told {
    readonly version: string;
    /** Annotations of its pods, with their keys. */
    readonly annotations?: Readonly<Record<string, string>>;
}

/** The configuration; undefined if there is no DaemonSet. */
export async function toldLast(api: ApiClient): Promise<Told | undefined> {
    const set = await ifFound(api.call<DaemonSet>(`/apis/apps/v1/${system}/daemonsets/${apiserver}`));
    const version = set && versionOf(set.spec.template.spec, apiserver);
    return version === undefined ? undefined : { version, annotations: set!.spec.template.metadata?.annotations };
}

/** What a change of versions is checked against. */
export async function runningCluster(api: ApiClient): Promise<RunningCluster> {
    const names = [apiserver, ...Object.keys(componentsBehind), nodeAgent];
    const selector = encodeURIComponent(`k8s-app in (${names.join(",")})`);
    const [pods, nodes, daemonSets, deployments, etcd] = await Promise.all([
        api.call<List<Pod>>(`/api/v1/${system}/pods?labelSelector=${selector}`),
        api.call<List<Node>>("/api/v1/nodes"),
        api.call<List<Workload>>(`/apis/apps/v1/${system}/daemonsets`),
        api.call<List<Workload>>(`/apis/apps/v1/${system}/deployments`),
        seenEtcd(api),
    ]);
    const versionsOf = (name: string, among: readonly Pod[]) =>
        [...new Set(among.flatMap(({ spec }) => versionOf(spec, name) ?? []))].sort(byVersion);
    const ready = pods.items.filter(({ status }) => isReady(status));
    const serving = ready.filter(({ spec }) => versionOf(spec, apiserver) !== undefined);
    const failing = new Set(pods.items.filter(isFailingAgent).map(({ spec }) => spec.nodeName));
    const away = nodes.items.filter(({ status }) => !isReady(status)).length;
    const workloads = [...daemonSets.items, ...deployments.items];
    const { deprecatedApis, unasked } = await askDeprecatedApis(api, Math.max(1, serving.length));
    return {
        apiservers: versionsOf(apiserver, ready),
        components: Object.keys(componentsBehind).flatMap((name) =>
            versionsOf(name, pods.items).map((version) => ({ name, version })),
        ),
        nodes: nodes.items.map(({ metadata: { name, labels = {} }, status }) => ({
            name,
            kubelet: plainVersion(status.nodeInfo.kubeletVersion),
            isController: controllerLabel in labels,
            isReady: isReady(status),
            isAgentReady: !failing.has(name),
        })),
        etcd: etcd.members,
        etcdTroubles: etcd.troubles,
        deprecatedApis,
        unaskedApiservers: unasked,
        problems: lacks(workloads, controlPlane),
        // Those of nodes that are not Ready are reported with the node.
        lackingAddons: lacks(workloads, addons, away),
    };
}

/** A pod ended by a machine's shutdown stays Failed next to its replacement. */
function isFailingAgent({ metadata, spec, status }: Pod): boolean {
    const isOver = metadata?.deletionTimestamp !== undefined || ["Failed", "Succeeded"].includes(status.phase ?? "");
    return !isOver && spec.containers.some(({ name }) => name === nodeAgent) && !isReady(status);
}

/** The static pods of etcd, as reported to the API by their kubelets. */
export async function etcdPods(api: ApiClient): Promise<RunningMember[]> {
    const { items } = await api.call<List<EtcdPod>>(`/api/v1/${system}/pods?labelSelector=k8s-app%3Detcd`);
    return items.flatMap(({ spec: { nodeName, containers } }) => {
        const etcd = containers.find(({ name }) => name === "etcd");
        return etcd === undefined ? [] : [{ node: nodeName, image: etcd.image, command: etcd.command ?? [] }];
    });
}

/** Version of a pod's container. */
export function versionOf(
    { containers }: { readonly containers: readonly Container[] },
    component: string,
): string | undefined {
    return versionOfImage(containers.find(({ name }) => name === component)?.image ?? "");
}

/** Maximum number of connections per kube-apiserver: a load balancer may route to any of them. */
const triesEach = 8;

/**
 * Removed or soon to be removed APIs that clients have requested. Each kube-apiserver only knows its own requests since
 * it started, and the load balancer chooses which one responds: so this connects until each one has responded.
 *
 * @param count - number of kube-apiservers
 * @returns these APIs, each once, and the number of kube-apiservers that did not respond
 */
export async function askDeprecatedApis(
    api: Pick<ApiClient, "call">,
    count: number,
): Promise<{ readonly deprecatedApis: readonly DeprecatedApi[]; readonly unasked: number }> {
    const told = new Map<string, readonly DeprecatedApi[]>();
    for (let tries = 0; told.size < count && tries < count * triesEach; tries++) {
        const metrics = await api.call<string>("/metrics", { isFresh: count > 1 });
        told.set(startOf(metrics), deprecatedApis(metrics));
    }
    const all = new Map([...told.values()].flat().map((each) => [`${each.name} ${each.removedIn}`, each]));
    return { deprecatedApis: [...all.values()], unasked: Math.max(0, count - told.size) };
}

/** The start time identifies a process. */
function startOf(metrics: string): string {
    return /^process_start_time_seconds (\S+)$/m.exec(metrics)?.[1] ?? "";
}

/** APIs that a later version removes and that clients have requested, from kube-apiserver's metrics. */
export function deprecatedApis(metrics: string): DeprecatedApi[] {
    return metrics.split("\n").flatMap((line) => {
        const [, text] = /^apiserver_requested_deprecated_apis\{(.*)\} 1$/.exec(line) ?? [];
        if (text === undefined) {
            return [];
        }
        const label = (name: string) => new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(text)?.[1] ?? "";
        const [group, removedIn] = [label("group"), label("removed_release")];
        // Without a release, no removal is planned.
        return removedIn === ""
            ? []
            : [{ name: `${group && `${group}/`}${label("version")} ${label("resource")}`, removedIn }];
    });
}
