import { certificatesOf, commonNameOf } from "../../clients/certificates";
import { type ApiClient, list } from "../../clients/kubernetes/api-client";
import {
    type ConfigMap,
    controllerOf,
    isReady,
    type Node,
    type Pod,
    type With,
} from "../../clients/kubernetes/objects";
import { hasEnded } from "../../clients/kubernetes/pods";
import type { CaFacts, CaReader, PublishedCas } from "../../cluster/keys/kubernetes-ca";
import { annotatedKeys } from "../../cluster/keys/lists";

const published = "kube-root-ca.crt";

type StoredPod = With<Pod, "namespace" | "creationTimestamp">;
type Published = With<ConfigMap, "namespace" | "creationTimestamp">;

/** Components that currently trust Kubernetes CAs, apart from kube-apiserver. */
export async function runningCas(api: ApiClient): Promise<CaFacts> {
    const [pods, nodes, configMaps] = await Promise.all([
        list<StoredPod>(api, "/api/v1/pods"),
        list<Node>(api, "/api/v1/nodes"),
        list<Published>(api, `/api/v1/configmaps?fieldSelector=metadata.name%3D${published}`),
    ]);
    const living = pods.filter((pod) => !hasEnded(pod));
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

function publishedBy({ metadata, data }: Published): PublishedCas {
    const times = [metadata.creationTimestamp, ...(metadata.managedFields ?? []).map(({ time }) => time ?? "")];
    return {
        namespace: metadata.namespace,
        cas: certificatesOf(data?.["ca.crt"] ?? "").map(commonNameOf),
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

function readerOf(pod: StoredPod): CaReader {
    const { metadata, status } = pod;
    const created = Date.parse(metadata.creationTimestamp);
    const starts = (status?.containerStatuses ?? []).map(({ state }) => Date.parse(state?.running?.startedAt ?? ""));
    return {
        namespace: metadata.namespace,
        workload: workloadOf(pod),
        created,
        // A container that does not run yet reads them when it starts.
        started: Math.min(...starts.map((start) => start || Number.POSITIVE_INFINITY)),
    };
}

function workloadOf(pod: Pod): string {
    const { name, labels } = pod.metadata;
    const owner = controllerOf(pod);
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
