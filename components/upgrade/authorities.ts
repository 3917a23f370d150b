import { certificatesOf, commonNameOf } from "../../clients/certificates";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { type Conditions, isReady } from "../../clients/kubernetes/nodes";
import type { AuthorityFacts, AuthorityReader, PublishedAuthorities } from "../../cluster/keys/authorities";
import { annotatedKeys } from "../../cluster/keys/lists";

const published = "kube-root-ca.crt";

interface Metadata {
    readonly name: string;
    readonly namespace: string;
    readonly creationTimestamp: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly managedFields?: readonly { readonly time?: string }[];
    readonly ownerReferences?: readonly {
        readonly kind: string;
        readonly name: string;
        readonly controller?: boolean;
    }[];
}

interface Pod {
    readonly metadata: Metadata;
    readonly spec: {
        readonly nodeName?: string;
        readonly volumes?: readonly {
            readonly projected?: { readonly sources?: readonly { readonly configMap?: { readonly name?: string } }[] };
        }[];
    };
    readonly status: Conditions & {
        readonly phase?: string;
        readonly containerStatuses?: readonly {
            readonly state?: { readonly running?: { readonly startedAt: string } };
        }[];
    };
}

interface ConfigMap {
    readonly metadata: Metadata;
    readonly data?: Readonly<Record<string, string>>;
}

/** Components that currently trust Kubernetes CAs, apart from kube-apiserver. */
export async function runningAuthorities(api: ApiClient): Promise<AuthorityFacts> {
    const list = async <T>(path: string) => (await api.call<{ items: readonly T[] }>(path)).items;
    const [pods, nodes, configMaps] = await Promise.all([
        list<Pod>("/api/v1/pods"),
        list<{ metadata: Metadata }>("/api/v1/nodes"),
        list<ConfigMap>(`/api/v1/configmaps?fieldSelector=metadata.name%3D${published}`),
    ]);
    const living = pods.filter(({ status }) => status.phase !== "Failed" && status.phase !== "Succeeded");
    const ofApp = (...apps: string[]) =>
        living.filter(
            ({ metadata: { namespace, labels } }) =>
                namespace === "kube-system" && apps.includes(labels?.["k8s-app"] ?? ""),
        );
    const settled = ofApp("node-agent").filter(({ status }) => isReady(status));
    return {
        holders: ofApp("kube-controller-manager", "kube-scheduler", "node-approver", "node-agent").map(
            ({ metadata }) => ({
                name: `the pod ${metadata.name}`,
                keys: { kubernetesCa: annotatedKeys(metadata.annotations).kubernetesCa },
            }),
        ),
        unsettledNodes: nodes
            .map(({ metadata }) => metadata.name)
            .filter((node) => !settled.some(({ spec }) => spec.nodeName === node)),
        published: configMaps.map(publishedBy),
        readers: living.filter(isReader).map(readerOf),
    };
}

function publishedBy({ metadata, data }: ConfigMap): PublishedAuthorities {
    const times = [metadata.creationTimestamp, ...(metadata.managedFields ?? []).map(({ time }) => time ?? "")];
    return {
        namespace: metadata.namespace,
        authorities: certificatesOf(data?.["ca.crt"] ?? "").map(commonNameOf),
        since: Math.max(...times.map((time) => Date.parse(time) || 0)),
    };
}

/**
 * Only pods that get the CAs along with a token: those that mount the ConfigMap themselves, such as agents, reload it.
 */
function isReader({ spec }: Pod): boolean {
    return (spec.volumes ?? []).some(({ projected }) =>
        projected?.sources?.some(({ configMap }) => configMap?.name === published),
    );
}

function readerOf({ metadata, status }: Pod): AuthorityReader {
    const created = Date.parse(metadata.creationTimestamp);
    const starts = (status.containerStatuses ?? []).map(({ state }) => Date.parse(state?.running?.startedAt ?? ""));
    return {
        namespace: metadata.namespace,
        workload: workloadOf(metadata),
        created,
        // A container that does not run yet reads them when it starts.
        started: Math.min(...starts.map((start) => start || Number.POSITIVE_INFINITY)),
    };
}

function workloadOf({ name, labels, ownerReferences = [] }: Metadata): string {
    const owner = ownerReferences.find(({ controller }) => controller);
    const hash = labels?.["pod-template-hash"];
    switch (owner?.kind) {
        case "DaemonSet":
        case "StatefulSet":
            return `${owner.kind.toLowerCase()}/${owner.name}`;
        case "ReplicaSet":
            // A Deployment's ReplicaSet is named after the pod template's hash.
            return hash === undefined ? `pod/${name}` : `deployment/${owner.name.replace(`-${hash}`, "")}`;
        default:
            return `pod/${name}`;
    }
}
