import type { ApiClient } from "../../../clients/kubernetes/api-client";
import type { ConfigMap } from "../../../clients/kubernetes/objects";
import { type NodeApproverPlan, type NodePools, parsePools } from "./plan";

/** The stack's nodes and pools, as they are now. */
export async function readPools(api: ApiClient, { pools }: Pick<NodeApproverPlan, "pools">): Promise<NodePools> {
    const { data } = await api.call<ConfigMap>(`/api/v1/namespaces/kube-system/configmaps/${pools}`);
    return parsePools(data?.["pools.json"]);
}
