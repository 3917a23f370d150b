import type { ApiClient } from "../../../clients/kubernetes/api-client";
import type { ConfigMap } from "../../../clients/kubernetes/objects";
import { demotedKey, readRecord, roleIn } from "../promoter/record";
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

/** Which nodes are to stay without the role of controllers: those that were demoted or replaced, and most candidates. */
export async function readWithoutRole(
    api: ApiClient,
    { record, candidates = [] }: Pick<NodeApproverPlan, "record" | "candidates">,
): Promise<(node: string) => boolean> {
    if (record === undefined) return () => false;
    const config = await readConfig(api, record);
    return (node) => (candidates.includes(node) ? !isPromoted(config, node) : isDemoted(config, node));
}

function isDemoted({ data = {} }: ConfigMap, node: string): boolean {
    return Object.hasOwn(data, demotedKey(node));
}

/** `tradewind status` reports a record that cannot be read. */
function isPromoted(config: ConfigMap, candidate: string): boolean {
    try {
        return roleIn(readRecord(config), [candidate], candidate) === "controller";
    } catch {
        return false;
    }
}

async function read(api: ApiClient, configMap: string, file: string): Promise<string | undefined> {
    return (await readConfig(api, configMap)).data?.[file];
}

function readConfig(api: ApiClient, configMap: string): Promise<ConfigMap> {
    return api.call<ConfigMap>(`/api/v1/namespaces/kube-system/configmaps/${configMap}`);
}
