import type { ApiClient } from "../../../clients/kubernetes/api-client";
import type { ConfigMap } from "../../../clients/kubernetes/objects";
import { type AdmittedControllers, type NodeApproverPlan, type NodePools, parseControllers, parsePools } from "./plan";

/** The stack's nodes and pools, as they are now. */
export async function readPools(api: ApiClient, { pools }: Pick<NodeApproverPlan, "pools">): Promise<NodePools> {
    return parsePools(await read(api, pools, "pools.json"));
}

/** The controllers that etcd has admitted, as they are now. */
export async function readControllers(
    api: ApiClient,
    { controllers }: Pick<NodeApproverPlan, "controllers">,
): Promise<AdmittedControllers> {
    return parseControllers(await read(api, controllers, "controllers.json"));
}

async function read(api: ApiClient, configMap: string, file: string): Promise<string | undefined> {
    const path = `/api/v1/namespaces/kube-system/configmaps/${configMap}`;
    return (await api.call<ConfigMap>(path)).data?.[file];
}
