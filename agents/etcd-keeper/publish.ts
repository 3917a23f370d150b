import type { ApiClient } from "../common/api-client";
import { statusConfigMap } from "./status";

/**
 * Writes one part of the status. Each part has a field manager of its own, so that a Job that takes a snapshot
 * does not drop what the keeper says.
 */
export async function publish(api: ApiClient, part: "members" | "snapshot", status: object): Promise<void> {
    const query = `fieldManager=etcd-keeper-${part}&force=true`;
    await api.call(`/api/v1/namespaces/kube-system/configmaps/${statusConfigMap}?${query}`, {
        method: "PATCH",
        contentType: "application/apply-patch+yaml",
        body: {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name: statusConfigMap, namespace: "kube-system" },
            data: { [part]: JSON.stringify(status) },
        },
    });
}
