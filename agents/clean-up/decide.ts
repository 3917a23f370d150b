import { isLost } from "../../clients/kubernetes/nodes";
import {
    nameOf,
    type PersistentVolume,
    type PersistentVolumeClaim,
    type Pod,
    type Service,
} from "../../clients/kubernetes/objects";
import { hasEnded } from "../../clients/kubernetes/pods";
import type { Objects } from "./objects";
import type { CleanUpRequest } from "./request";

/** An object of the cluster to delete: its API path, and whether to force it because no kubelet can terminate it. */
export interface Deletion {
    readonly path: string;
    /** @default false */
    readonly isForced?: boolean;
}

export interface Decision {
    /** What is not being deleted yet. */
    readonly deletions: readonly Deletion[];
    /** What the cloud still has, each in words. */
    readonly left: readonly string[];
    /** Volumes to keep by their reclaim policy. */
    readonly kept: readonly string[];
}

type Scope = Pick<CleanUpRequest, "hasLoadBalancers" | "drivers">;

const provisionedBy = "pv.kubernetes.io/provisioned-by";
const provisioners = ["volume.kubernetes.io/storage-provisioner", "volume.beta.kubernetes.io/storage-provisioner"];

/** What to delete so that the cloud resources of the cluster are removed, and which of them are left. */
export function decide({ hasLoadBalancers, drivers }: Scope, objects: Objects): Decision {
    const services = objects.services.filter(({ spec }) => hasLoadBalancers && spec.type === "LoadBalancer");
    const own = objects.volumes.filter((each) => drivers.includes(each.metadata.annotations?.[provisionedBy] ?? ""));
    const volumes = own.filter(({ spec }) => spec.persistentVolumeReclaimPolicy === "Delete");
    const names = new Set(volumes.map(({ metadata }) => metadata.name));
    const claims = objects.claims.filter((claim) =>
        claim.spec.volumeName === undefined ? isAskedOf(drivers, claim) : names.has(claim.spec.volumeName),
    );
    const holders = objects.pods.filter((pod) => holds(pod, claims));
    const lost = new Set(objects.nodes.filter(isLost).map(({ metadata }) => metadata.name));
    const isOnLostNode = ({ spec }: Pod) => spec.nodeName !== undefined && lost.has(spec.nodeName);
    return {
        deletions: [
            ...pathsOf("services", services),
            ...pathsOf("persistentvolumeclaims", claims),
            ...pathsOf(
                "pods",
                holders.filter((pod) => !isOnLostNode(pod)),
            ),
            // Whatever runs there, no kubelet will report its end.
            ...pathsOf("pods", holders.filter(isOnLostNode), true),
        ],
        left: [
            ...services.map(describeService),
            ...volumes.map((volume) => describeVolume(volume, holders)),
            ...claims.filter(({ spec }) => spec.volumeName === undefined).map((claim) => `claim ${nameOf(claim)}`),
        ],
        kept: own
            .filter(({ spec }) => spec.persistentVolumeReclaimPolicy !== "Delete")
            .map((volume) => `${handleOf(volume)}${ofClaim(volume)}`),
    };
}

/** A volume may still be being provisioned. */
function isAskedOf(drivers: readonly string[], { metadata: { annotations = {} } }: PersistentVolumeClaim): boolean {
    return provisioners.some((key) => drivers.includes(annotations[key] ?? ""));
}

/** Whether a pod keeps one of these from being deleted. One without a node, or that has ended, does not. */
function holds(pod: Pod, claims: readonly PersistentVolumeClaim[]): boolean {
    const { metadata, spec } = pod;
    if (spec.nodeName === undefined || hasEnded(pod)) return false;
    const used = (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => [
        ...(persistentVolumeClaim ? [persistentVolumeClaim.claimName] : []),
        ...(ephemeral ? [`${metadata.name}-${name}`] : []),
    ]);
    return claims.some(
        (claim) => claim.metadata.namespace === metadata.namespace && used.includes(claim.metadata.name),
    );
}

function pathsOf(
    plural: string,
    objects: readonly (Service | PersistentVolumeClaim | Pod)[],
    isForced = false,
): Deletion[] {
    return objects
        .filter(({ metadata }) => isForced || metadata.deletionTimestamp === undefined)
        .map(({ metadata: { namespace, name } }) => ({
            path: `/api/v1/namespaces/${namespace}/${plural}/${name}`,
            ...(isForced && { isForced }),
        }));
}

function describeService(service: Service): string {
    const [first] = service.status?.loadBalancer?.ingress ?? [];
    const address = first?.hostname ?? first?.ip;
    return `load balancer ${address ? `${address} ` : ""}of Service ${nameOf(service)}`;
}

function describeVolume(volume: PersistentVolume, holders: readonly Pod[]): string {
    const { claimRef } = volume.spec;
    const users = holders.filter((pod) => holds(pod, claimRef ? [{ metadata: claimRef, spec: {} }] : []));
    const inUse = users.length > 0 ? `, in use by pod ${users.map(nameOf).join(", ")}` : "";
    const why = volume.status?.message ? `: ${volume.status.message}` : "";
    return `volume ${handleOf(volume)}${ofClaim(volume)}${inUse}${why}`;
}

function handleOf({ metadata, spec }: PersistentVolume): string {
    return spec.csi?.volumeHandle ?? metadata.name;
}

function ofClaim({ spec: { claimRef } }: PersistentVolume): string {
    return claimRef ? ` of claim ${claimRef.namespace}/${claimRef.name}` : "";
}
