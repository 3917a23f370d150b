import { podsOn } from "../../agents/nodes/removal/pods";
import { type ApiClient, list } from "../../clients/kubernetes/api-client";
import {
    type ApiObject,
    controllerOf,
    type NodeTerm,
    nameOf,
    type PersistentVolume,
    type Pod,
    type Volume,
} from "../../clients/kubernetes/objects";
import { isCurrent, isStatic } from "../../clients/kubernetes/pods";
import type { UpgradeProblem } from "../../cluster/upgrades/problem";
import type { StackNodes } from "./stack-nodes";

/** What is lost with a node's machine. */
export interface LocalData {
    readonly node: string;
    /** Claims and, without one, volumes. */
    readonly claims: readonly string[];
    /** Pods with the paths of the node, and the `emptyDir` volumes, that they keep data in. */
    readonly pods: readonly string[];
}

/**
 * Problems of a change that removes or replaces machines: volumes on their disks that hold data.
 *
 * @param leaving - nodes of these machines, among all of them
 * @param fate - what happens to each machine: "removed"
 */
export async function localDataProblems(
    api: Pick<ApiClient, "call">,
    { leaving, all }: Pick<StackNodes, "leaving" | "all">,
    fate: string,
): Promise<UpgradeProblem[]> {
    if (leaving.length === 0) return [];
    const [volumes, pods] = await Promise.all([
        list<PersistentVolume>(api, "/api/v1/persistentvolumes"),
        Promise.all(leaving.map(({ metadata }) => podsOn(api as ApiClient, metadata.name))),
    ]);
    return localData(leaving, all, volumes, pods.flat()).map((data) => ({
        check: "local-data",
        message: describe(data, fate),
    }));
}

/** Data on nodes that leave, by node. */
export function localData(
    leaving: readonly ApiObject[],
    all: readonly ApiObject[],
    volumes: readonly PersistentVolume[],
    pods: readonly Pod[],
): LocalData[] {
    return leaving.flatMap((node) => {
        const { name } = node.metadata;
        const own = pods.filter(({ spec }) => spec.nodeName === name);
        const isHere = (volume: PersistentVolume) => isOnlyOn(volume, node, all) || isUsedHere(volume, own);
        const claims = volumes.filter((volume) => holdsData(volume) && isHere(volume)).map(claimOf);
        const paths = own.flatMap((pod) => pathsOf(pod).map((path) => `${nameOf(pod)} (${path})`));
        return claims.length + paths.length === 0 ? [] : [{ node: name, claims: claims.sort(), pods: paths.sort() }];
    });
}

/** A volume that no claim ever had is empty, and one that is being removed with its claim may go. */
function holdsData({ metadata, status, spec }: PersistentVolume): boolean {
    const isEmpty = status?.phase === "Available" || status?.phase === "Pending";
    const isEnding = metadata.deletionTimestamp !== undefined && status?.phase !== "Bound";
    return !isEmpty && !isEnding && (status?.phase === "Bound" || spec.persistentVolumeReclaimPolicy !== "Delete");
}

/**
 * Whether a volume is bound to this node by its name, as those on a node's disk are. A volume of a cloud is bound to a
 * zone, whose only node may be this one, and outlives it.
 */
function isOnlyOn({ spec }: PersistentVolume, node: ApiObject, all: readonly ApiObject[]): boolean {
    const terms = spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
    const others = all.filter(({ metadata }) => metadata.name !== node.metadata.name);
    return terms.some((term) => names(term, node)) && !others.some((other) => terms.some((term) => names(term, other)));
}

/** Whether a pod of the node uses a volume that is a path of whichever node its pods run on. */
function isUsedHere({ spec }: PersistentVolume, pods: readonly Pod[]): boolean {
    const { hostPath, nodeAffinity, claimRef } = spec;
    if (hostPath === undefined || nodeAffinity !== undefined || claimRef === undefined) return false;
    return pods.some(
        ({ metadata, spec: { volumes = [] } }) =>
            metadata.namespace === claimRef.namespace &&
            volumes.some(({ persistentVolumeClaim: claim }) => claim?.claimName === claimRef.name),
    );
}

/** Whether a term names the node, by its name or by the value of a label that is its name. */
function names({ matchExpressions = [], matchFields = [] }: NodeTerm, { metadata }: ApiObject): boolean {
    const { name, labels = {} } = metadata;
    const own = new Set([name, labels["kubernetes.io/hostname"] ?? name]);
    return [...matchExpressions, ...matchFields].some(({ key, operator, values = [] }) => {
        const value = key === "metadata.name" ? name : (labels[key] ?? name);
        return operator === "In" && own.has(value) && values.includes(value);
    });
}

function claimOf({ metadata, spec: { claimRef }, status }: PersistentVolume): string {
    const isBound = claimRef !== undefined && status?.phase === "Bound";
    return isBound ? `${claimRef.namespace}/${claimRef.name}` : `${metadata.name} (a volume without a claim)`;
}

/** Paths of the host that belong to the OS: what pods write there is no data of theirs. */
const ofSystem =
    /^\/(boot|dev|etc|lib|lib64|proc|run|sys|tmp|usr|var\/log|var\/run|var\/lib\/(kubelet|containerd|docker)|$)(\/|$)/;

/** Where a pod that is no node's own, such as those of DaemonSets, keeps data on its node. */
function pathsOf(pod: Pod): string[] {
    const owner = controllerOf(pod)?.kind;
    if (!isCurrent(pod) || isStatic(pod) || owner === "DaemonSet" || pod.metadata.namespace === "kube-system")
        return [];
    const { volumes = [], containers, initContainers = [] } = pod.spec;
    const written = new Set(
        [...containers, ...initContainers].flatMap(({ volumeMounts = [] }) =>
            volumeMounts.filter(({ readOnly }) => readOnly !== true).map(({ name }) => name),
        ),
    );
    const hasClaim = volumes.some((volume) => volume.persistentVolumeClaim !== undefined);
    return volumes
        .filter(({ name }) => written.has(name))
        .flatMap((volume) => [...hostPaths(volume), ...(owner === "StatefulSet" && !hasClaim ? scratch(volume) : [])]);
}

function hostPaths({ hostPath }: Volume): string[] {
    if (hostPath === undefined || ofSystem.test(hostPath.path)) return [];
    return ["Socket", "CharDevice", "BlockDevice"].includes(hostPath.type ?? "") ? [] : [hostPath.path];
}

/** A StatefulSet without claims may keep its data there, as replicated databases do. */
function scratch({ name, emptyDir }: Volume): string[] {
    return emptyDir !== undefined && emptyDir.medium !== "Memory" ? [`emptyDir ${name}`] : [];
}

/** Names that are shown of each node. */
const mostShown = 8;

function describe({ node, claims, pods }: LocalData, fate: string): string {
    const what = [
        ...(claims.length > 0 ? [`claims ${some(claims)}`] : []),
        ...(pods.length > 0 ? [`pods ${some(pods)}`] : []),
    ].join(" and ");
    const orDelete = claims.length > 0 ? ", or delete the claims" : "";
    return `${node} would be ${fate}, and the data of ${what} on its disk lost: move it elsewhere${orDelete}`;
}

function some(all: readonly string[]): string {
    const more = all.length > mostShown ? [`${all.length - mostShown} more`] : [];
    return [...all.slice(0, mostShown), ...more].join(", ");
}
