import * as v from "valibot";
import { controllersConfig, controllersKey, controllersSchema } from "../../agents/nodes/promoter/record";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import type { ConfigMap } from "../../clients/kubernetes/objects";
import { type Cluster, possibleControllers } from "../../cluster/model";

/**
 * Why candidates must not be removed now, or undefined: one that is a controller has a member of etcd, and nothing would
 * remove it any more.
 */
export async function candidateProblem(
    api: Pick<ApiClient, "call">,
    cluster: Pick<Cluster, "controllers">,
): Promise<string | undefined> {
    const path = `/api/v1/namespaces/kube-system/configmaps/${controllersConfig}`;
    const record = await ifFound(api.call<ConfigMap>(path));
    const roles = v.parse(controllersSchema, JSON.parse(record?.data?.[controllersKey] ?? "{}"));
    const possible = possibleControllers(cluster);
    const left = Object.entries(roles)
        .filter(([name, { role }]) => (role === "joining" || role === "controller") && !possible.includes(name))
        // Node removal takes the stack's own controllers out of etcd.
        .filter(([name]) => !/-controller-\d+$/.test(name))
        .map(([name]) => name);
    if (left.length === 0) return undefined;
    const commands = left.map((name) => `\`tradewind demote ${name}\``).join(", ");
    return `controllers.candidates must include the pool of ${left.join(", ")}, and the pool these nodes, as long as they are controllers: first run ${commands}`;
}
