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

/** What else has to be whole before an upgrade. */
const controlPlane = [apiserver, "kube-controller-manager", "kube-scheduler", "checkpointer"];

/** What an upgrade waits for too, and what can go on serving meanwhile. */
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

/** What kube-apiserver was last told, by the DaemonSet that runs it. */
export interface Told {
    readonly version: string;
    /** Of its pods: they say which keys those have. */
    readonly annotations?: Readonly<Record<string, string>>;
}

/** What it was told; undefined where no DaemonSet runs it. */
export async function toldLast(api: ApiClient): Promise<Told | undefined> {
    const set = await ifFound(api.call<DaemonSet>(`/apis/apps/v1/${system}/daemonsets/${apiserver}`));
    const version = set && versionOf(set.spec.template.spec, apiserver);
    return version === undefined ? undefined : { version, annotations: set!.spec.template.metadata?.annotations };
}

/** What a change of versions has to be held against. */
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
        // Those of a node that is not Ready are told of with it.
        lackingAddons: lacks(workloads, addons, away),
    };
}

/** What a shutdown of its machine ended stays as failed, beside the pod that took its place. */
function isFailingAgent({ metadata, spec, status }: Pod): boolean {
    const isOver = metadata?.deletionTimestamp !== undefined || ["Failed", "Succeeded"].includes(status.phase ?? "");
    return !isOver && spec.containers.some(({ name }) => name === nodeAgent) && !isReady(status);
}

/** The static pods of etcd, as their kubelets show them to the API. */
export async function etcdPods(api: ApiClient): Promise<RunningMember[]> {
    const { items } = await api.call<List<EtcdPod>>(`/api/v1/${system}/pods?labelSelector=k8s-app%3Detcd`);
    return items.flatMap(({ spec: { nodeName, containers } }) => {
        const etcd = containers.find(({ name }) => name === "etcd");
        return etcd === undefined ? [] : [{ node: nodeName, image: etcd.image, command: etcd.command ?? [] }];
    });
}

/** Of a pod's container. */
export function versionOf(
    { containers }: { readonly containers: readonly Container[] },
    component: string,
): string | undefined {
    return versionOfImage(containers.find(({ name }) => name === component)?.image ?? "");
}

/** Connections for each kube-apiserver at most: a load balancer leads to any of them. */
const triesEach = 8;

/**
 * APIs that a later version has no more and that somebody asked for. Each kube-apiserver knows what it was asked for itself, since it
 * started, and which one answers is the load balancer's choice: so they are asked until each has answered.
 *
 * @param count - how many of them serve
 * @returns these APIs, each once, and how many kube-apiservers did not answer
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

/** By when it started, processes are told apart. */
function startOf(metrics: string): string {
    return /^process_start_time_seconds (\S+)$/m.exec(metrics)?.[1] ?? "";
}

/** The names of the APIs that a later version has no more and that were asked for, out of kube-apiserver's metrics. */
export function deprecatedApis(metrics: string): DeprecatedApi[] {
    return metrics.split("\n").flatMap((line) => {
        const [, text] = /^apiserver_requested_deprecated_apis\{(.*)\} 1$/.exec(line) ?? [];
        if (text === undefined) {
            return [];
        }
        const label = (name: string) => new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(text)?.[1] ?? "";
        const [group, removedIn] = [label("group"), label("removed_release")];
        // Without a release nothing is known of an end.
        return removedIn === ""
            ? []
            : [{ name: `${group && `${group}/`}${label("version")} ${label("resource")}`, removedIn }];
    });
}
