import type { ApiClient } from "../../agents/common/api-client";
import { ifFound } from "../../agents/common/api-error";
import { type Conditions, isReady } from "../../agents/common/ready-condition";
import { type MembersStatus, statusConfigMap } from "../../agents/etcd-keeper/status";
import { componentsBehind, type RunningCluster, type RunningEtcd } from "../cluster/upgrade-checks";
import { byVersion, plainVersion, versionOfImage } from "../cluster/version";
import { controllerLabel } from "../control-plane/pod";
import { askDeprecatedApis } from "./deprecated-apis";
import type { RunningMember } from "./etcd-changes";

const system = "namespaces/kube-system";
export const apiserver = "kube-apiserver";

/** What else has to be whole before an upgrade. */
const controlPlane = [apiserver, "kube-controller-manager", "kube-scheduler", "checkpointer"];

interface List<T> {
    readonly items: readonly T[];
}

export interface DaemonSet {
    readonly metadata: { readonly name: string };
    readonly spec: {
        readonly template: {
            readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
            readonly spec: { readonly containers: readonly Container[] };
        };
    };
    readonly status: { readonly desiredNumberScheduled: number; readonly numberReady: number };
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
    readonly spec: { readonly containers: readonly Container[] };
    readonly status: Conditions;
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
    const names = [apiserver, ...Object.keys(componentsBehind)];
    const selector = encodeURIComponent(`k8s-app in (${names.join(",")})`);
    const [pods, nodes, daemonSets, etcd] = await Promise.all([
        api.call<List<Pod>>(`/api/v1/${system}/pods?labelSelector=${selector}`),
        api.call<List<Node>>("/api/v1/nodes"),
        api.call<List<DaemonSet>>(`/apis/apps/v1/${system}/daemonsets`),
        etcdMembers(api),
    ]);
    const versionsOf = (name: string, among: readonly Pod[]) =>
        [...new Set(among.flatMap(({ spec }) => versionOf(spec, name) ?? []))].sort(byVersion);
    const ready = pods.items.filter(({ status }) => isReady(status));
    const serving = ready.filter(({ spec }) => versionOf(spec, apiserver) !== undefined);
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
        })),
        etcd,
        deprecatedApis,
        unaskedApiservers: unasked,
        problems: daemonSets.items
            .filter(({ metadata }) => controlPlane.includes(metadata.name))
            .filter(({ status }) => status.numberReady < status.desiredNumberScheduled)
            .map(({ metadata: { name }, status: { numberReady, desiredNumberScheduled } }) => {
                return `${name} has ${numberReady} of ${desiredNumberScheduled} pods Ready`;
            }),
    };
}

/** The members as etcd's keeper saw them last. */
export async function etcdMembers(api: ApiClient): Promise<RunningEtcd[]> {
    const path = `/api/v1/${system}/configmaps/${statusConfigMap}`;
    const status = await ifFound(api.call<{ data?: Record<string, string> }>(path));
    const { members = [] }: Partial<MembersStatus> = JSON.parse(status?.data?.members ?? "{}");
    return members.map(({ name, version, problem }) => ({
        name,
        ...(version !== undefined && { version }),
        ...(problem !== undefined && { problem }),
    }));
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
