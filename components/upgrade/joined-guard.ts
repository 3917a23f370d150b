import { readJoined } from "../../agents/nodes/approver/joined";
import type { Caller } from "../../clients/kubernetes/api-client";
import type { ApiObject } from "../../clients/kubernetes/objects";
import { poolLabel } from "../../cluster/labels";
import { type Cluster, nodesByPool } from "../../cluster/model";

/**
 * Why pools must not be removed now, or undefined: machines that joined one by a token stay when it is removed, but
 * nothing would update them, renew their CAs or reset them any more.
 */
export async function joinedProblem(
    api: Caller,
    nodes: readonly ApiObject[],
    cluster: Pick<Cluster, "controllers" | "workerPools">,
): Promise<string | undefined> {
    const pools = Object.keys(nodesByPool(cluster));
    const left = nodes.flatMap(({ metadata: { name, labels } }) => {
        const pool = labels?.[poolLabel];
        return pool === undefined || pools.includes(pool) ? [] : [{ name, pool }];
    });
    if (left.length === 0) return undefined;
    const { machines } = await readJoined(api);
    const joined = left.filter(({ name }) => Object.hasOwn(machines, name) && machines[name]!.reset === undefined);
    if (joined.length === 0) return undefined;
    const shown = joined.map(({ name, pool }) => `${pool} (${name})`).join(", ");
    const commands = joined.map(({ name }) => `\`tradewind reset ${name}\``).join(", ");
    return `workerPools must include the pools of machines that joined by a token: ${shown}; first run ${commands}`;
}
