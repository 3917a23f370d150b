import type { ApiClient } from "../../../clients/kubernetes/api-client";
import type { ConfigMap } from "../../../clients/kubernetes/objects";
import { demotedKey } from "../promoter/record";
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

/** Whether a controller was demoted or replaced. */
export async function readDemoted(
    api: ApiClient,
    { demoted }: Pick<NodeApproverPlan, "demoted">,
): Promise<(node: string) => boolean> {
    if (demoted === undefined) return () => false;
    const { data = {} } = await readConfig(api, demoted);
    return (node) => Object.hasOwn(data, demotedKey(node));
}

async function read(api: ApiClient, configMap: string, file: string): Promise<string | undefined> {
    return (await readConfig(api, configMap)).data?.[file];
}

function readConfig(api: ApiClient, configMap: string): Promise<ConfigMap> {
    return api.call<ConfigMap>(`/api/v1/namespaces/kube-system/configmaps/${configMap}`);
}
