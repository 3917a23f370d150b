import type { ApiClient } from "../../../clients/kubernetes/api-client";
import { ifFound } from "../../../clients/kubernetes/api-error";
import type { ConfigMap } from "../../../clients/kubernetes/objects";
import type { KubernetesObject } from "./manifests";

const namespace = "kube-system";
const name = "tradewind-bootstrap";

/** The cluster's own record of its pivot. */
export interface PivotRecord {
    /** ISO 8601, UTC. */
    readonly pivotedAt: string;
    readonly cluster: string;
    readonly node: string;
    /** JSON. */
    readonly versions: string;
    /** JSON: seconds by step. */
    readonly durations: string;
}

/**
 * The record, or undefined if the cluster never pivoted. Any other failure throws: it must not pass for a missing
 * record.
 */
export async function readPivotRecord(api: ApiClient): Promise<Partial<PivotRecord> | undefined> {
    const found = await ifFound(api.call<ConfigMap>(`/api/v1/namespaces/${namespace}/configmaps/${name}`));
    return found && (found.data ?? {});
}

export function pivotManifest(record: PivotRecord): KubernetesObject {
    const metadata = { name, namespace, labels: { "app.kubernetes.io/managed-by": "tradewind" } };
    return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { ...record } };
}
