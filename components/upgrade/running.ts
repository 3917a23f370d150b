import { setTimeout as sleep } from "node:timers/promises";
import { versionAnnotation } from "../../agents/nodes/node-agent/plan";
import { type ApiClient, list } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import { kubeletVersion } from "../../clients/kubernetes/nodes";
import { type DaemonSet, isReady, type Node, type Pod, type PodSpec } from "../../clients/kubernetes/objects";
import { isCurrent } from "../../clients/kubernetes/pods";
import { controllerLabel, poolLabel } from "../../cluster/labels";
import {
    componentsBehind,
    type DeprecatedApi,
    healthProblems,
    type RunningCluster,
} from "../../cluster/upgrades/checks";
import { emulatedFlag, flagOf } from "../../cluster/upgrades/rollback";
import { byVersion, plainVersion, versionOfImage } from "../../cluster/upgrades/version";
import { type RunningMember, readEtcdReport } from "./etcd-changes";
import { lacks, type Workload } from "./rollout-health";

const system = "namespaces/kube-system";
export const apiserver = "kube-apiserver";

/** Components that must be healthy before an upgrade. */
const controlPlane = [apiserver, "kube-controller-manager", "kube-scheduler", "checkpointer"];

/** Components that an upgrade also waits for, but that can keep running meanwhile. */
const addons = ["flannel", "kube-proxy", "kube-router", "coredns"];
const nodeAgent = "node-agent";

/** The last configuration of kube-apiserver, from its DaemonSet. */
export interface AppliedApiserver {
    readonly version: string;
    /** Annotations of its pods, with their keys. */
    readonly annotations?: Readonly<Record<string, string>>;
    readonly flags: readonly string[];
}

/** The configuration; undefined if there is no DaemonSet. */
export async function appliedApiserver(api: ApiClient): Promise<AppliedApiserver | undefined> {
    const set = await ifFound(api.call<DaemonSet>(`/apis/apps/v1/${system}/daemonsets/${apiserver}`));
    const { metadata, spec } = set?.spec?.template ?? {};
    const version = spec && versionOf(spec, apiserver);
    if (version === undefined) return undefined;
    const { command = [] } = spec!.containers.find(({ name }) => name === apiserver)!;
    return { version, annotations: metadata?.annotations, flags: command };
}

/** What a change of versions is checked against. */
export async function runningCluster(api: ApiClient): Promise<RunningCluster> {
    const names = [apiserver, ...Object.keys(componentsBehind), nodeAgent];
    const selector = encodeURIComponent(`k8s-app in (${names.join(",")})`);
    const [pods, nodes, daemonSets, deployments, etcd] = await Promise.all([
        list<Pod>(api, `/api/v1/${system}/pods?labelSelector=${selector}`),
        list<Node>(api, "/api/v1/nodes"),
        list<Workload>(api, `/apis/apps/v1/${system}/daemonsets`),
        list<Workload>(api, `/apis/apps/v1/${system}/deployments`),
        readEtcdReport(api),
    ]);
    const versionsOf = (name: string, among: readonly Pod[]) =>
        [...new Set(among.flatMap(({ spec }) => behavesLike(spec, name) ?? []))].sort(byVersion);
    const ready = pods.filter(({ status }) => isReady(status));
    const serving = ready.filter(({ spec }) => versionOf(spec, apiserver) !== undefined);
    const failing = new Set(pods.filter(isFailingAgent).map(({ spec }) => spec.nodeName));
    const served = new Set(pods.filter((pod) => isAgent(pod) && isCurrent(pod)).map(({ spec }) => spec.nodeName));
    const notReady = nodes.filter(({ status }) => !isReady(status)).length;
    const workloads = [...daemonSets, ...deployments];
    const { deprecatedApis, unasked } = await askDeprecatedApis(api, Math.max(1, serving.length));
    return {
        apiservers: versionsOf(apiserver, ready),
        ...(ready.some(emulates) && { isOnTheWay: true }),
        components: Object.keys(componentsBehind).flatMap((name) =>
            versionsOf(name, pods).map((version) => ({ name, version })),
        ),
        nodes: nodes.map((node) => ({
            name: node.metadata.name,
            kubelet: plainVersion(kubeletVersion(node)),
            isController: controllerLabel in (node.metadata.labels ?? {}),
            isReady: isReady(node.status),
            isAgentReady: !failing.has(node.metadata.name),
            // A node that was joined manually has none.
            lacksAgent: poolLabel in (node.metadata.labels ?? {}) && !served.has(node.metadata.name),
            keepsKubelet:
                !(poolLabel in (node.metadata.labels ?? {})) || versionAnnotation in (node.metadata.annotations ?? {}),
        })),
        etcd: etcd.members,
        etcdTroubles: etcd.troubles,
        deprecatedApis,
        unaskedApiservers: unasked,
        problems: lacks(workloads, controlPlane),
        // Those of nodes that are not Ready are reported with the node.
        lackingAddons: lacks(workloads, addons, notReady),
    };
}

/** Seconds for rollouts that an interrupted `up` left in progress: a node is drained, and its kubelet restarted. */
const healthySeconds = 120;

/** Waits until nothing of a cluster's health prevents another version. The caller decides if something still does. */
export async function waitUntilHealthy(
    observe: () => Promise<RunningCluster>,
    target: string,
    seconds = healthySeconds,
): Promise<void> {
    const deadline = performance.now() + seconds * 1000;
    while (healthProblems(await observe(), target).length > 0 && performance.now() < deadline) await sleep(1_000);
}

/** A pod ended by a machine's shutdown stays Failed next to its replacement. */
function isFailingAgent(pod: Pod): boolean {
    return isCurrent(pod) && isAgent(pod) && !isReady(pod.status);
}

function isAgent({ spec }: Pod): boolean {
    return spec.containers.some(({ name }) => name === nodeAgent);
}

/** The static pods of etcd, as reported to the API by their kubelets. */
export async function etcdPods(api: ApiClient): Promise<RunningMember[]> {
    const pods = await list<Pod>(api, `/api/v1/${system}/pods?labelSelector=k8s-app%3Detcd`);
    return pods.flatMap(({ spec: { nodeName = "", containers }, status }) => {
        const etcd = containers.find(({ name }) => name === "etcd");
        if (etcd === undefined) return [];
        const { imageID = "" } = status?.containerStatuses?.find(({ name }) => name === etcd.name) ?? {};
        const repository = etcd.image.replace(/(:[^:/@]+)?(@.*)?$/, "");
        const digest = imageID.startsWith(`${repository}@`) ? imageID.slice(repository.length + 1) : undefined;
        return [{ node: nodeName, image: etcd.image, command: etcd.command ?? [], ...(digest && { digest }) }];
    });
}

/** Whether a pod is a kube-apiserver that emulates another version. */
function emulates({ spec }: Pod): boolean {
    return behavesLike(spec, apiserver) !== versionOf(spec, apiserver);
}

/** The same, or the version that it emulates. */
function behavesLike(spec: PodSpec, component: string): string | undefined {
    const { command = [] } = spec.containers.find(({ name }) => name === component) ?? {};
    const emulated = flagOf(command, emulatedFlag);
    return emulated === undefined ? versionOf(spec, component) : `${emulated}.0`;
}

/** Version of a pod's container. */
export function versionOf({ containers }: Pick<PodSpec, "containers">, component: string): string | undefined {
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
    const reported = new Map<string, readonly DeprecatedApi[]>();
    for (let tries = 0; reported.size < count && tries < count * triesEach; tries++) {
        const metrics = await api.call<string>("/metrics", { isFresh: count > 1 });
        reported.set(startOf(metrics), deprecatedApis(metrics));
    }
    const all = new Map([...reported.values()].flat().map((each) => [`${each.name} ${each.removedIn}`, each]));
    return { deprecatedApis: [...all.values()], unasked: Math.max(0, count - reported.size) };
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
