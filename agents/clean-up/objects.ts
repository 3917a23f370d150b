import type { ApiClient } from "../../clients/kubernetes/api-client";

interface Metadata {
    readonly name: string;
    readonly namespace?: string;
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
}

export interface Service {
    readonly metadata: Metadata;
    readonly spec: { readonly type?: string };
    readonly status?: {
        readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] };
    };
}

export interface Claim {
    readonly metadata: Metadata;
    readonly spec: { readonly volumeName?: string };
}

export interface Volume {
    readonly metadata: Metadata;
    readonly spec: {
        readonly persistentVolumeReclaimPolicy?: string;
        readonly claimRef?: { readonly namespace: string; readonly name: string };
        readonly csi?: { readonly driver: string; readonly volumeHandle: string };
    };
    readonly status?: { readonly phase?: string; readonly message?: string };
}

export interface Pod {
    readonly metadata: Metadata;
    readonly spec: {
        readonly nodeName?: string;
        readonly volumes?: readonly {
            readonly name: string;
            readonly persistentVolumeClaim?: { readonly claimName: string };
            readonly ephemeral?: object;
        }[];
    };
    readonly status?: { readonly phase?: string };
}

export interface Node {
    readonly metadata: Metadata;
    readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** The objects of a cluster that determine what is left in its cloud. */
export interface Objects {
    readonly services: readonly Service[];
    readonly claims: readonly Claim[];
    readonly volumes: readonly Volume[];
    readonly pods: readonly Pod[];
    readonly nodes: readonly Node[];
}

/** A large cluster has many pods. */
const listMilliseconds = 60_000;

export async function readObjects(api: ApiClient): Promise<Objects> {
    const list = async <T>(plural: string) =>
        (await api.call<{ items: T[] }>(`/api/v1/${plural}`, { timeoutMilliseconds: listMilliseconds })).items;
    const [services, claims, volumes, pods, nodes] = await Promise.all([
        list<Service>("services"),
        list<Claim>("persistentvolumeclaims"),
        list<Volume>("persistentvolumes"),
        list<Pod>("pods"),
        list<Node>("nodes"),
    ]);
    return { services, claims, volumes, pods, nodes };
}

/** `default/web`, the usual notation. */
export function nameOf({ metadata: { namespace, name } }: { readonly metadata: Metadata }): string {
    return namespace === undefined ? name : `${namespace}/${name}`;
}
