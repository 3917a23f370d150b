import { type ApiClient, list } from "../../clients/kubernetes/api-client";
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod, Service } from "../../clients/kubernetes/objects";

/** The objects of a cluster that determine what is left in its cloud. */
export interface Objects {
    readonly services: readonly Service[];
    readonly claims: readonly PersistentVolumeClaim[];
    readonly volumes: readonly PersistentVolume[];
    readonly pods: readonly Pod[];
    readonly nodes: readonly Node[];
}

/** A large cluster has many pods. */
const listMilliseconds = 60_000;

export async function readObjects(api: ApiClient): Promise<Objects> {
    const all = <T>(plural: string) => list<T>(api, `/api/v1/${plural}`, { timeoutMilliseconds: listMilliseconds });
    const [services, claims, volumes, pods, nodes] = await Promise.all([
        all<Service>("services"),
        all<PersistentVolumeClaim>("persistentvolumeclaims"),
        all<PersistentVolume>("persistentvolumes"),
        all<Pod>("pods"),
        all<Node>("nodes"),
    ]);
    return { services, claims, volumes, pods, nodes };
}
