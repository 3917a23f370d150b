import { memberLabel } from "../../agents/nodes/promoter/plan";
import type { ApiObject } from "../../clients/kubernetes/objects";
import { type Cluster, possibleControllers } from "../../cluster/model";

/**
 * Why candidates must not be removed now, or undefined: one that is a controller, or becomes one, has a member of etcd,
 * and nothing would remove it any more.
 */
export function candidateProblem(
    nodes: readonly ApiObject[],
    cluster: Pick<Cluster, "controllers">,
): string | undefined {
    const possible = possibleControllers(cluster);
    const left = nodes
        .filter(({ metadata: { name, labels } }) => labels?.[memberLabel] === "joining" && !possible.includes(name))
        .map(({ metadata }) => metadata.name);
    if (left.length === 0) return undefined;
    const commands = left.map((name) => `\`tradewind demote ${name}\``).join(", ");
    return `controllers.candidates must include the pool of ${left.join(", ")}, and the pool these nodes, as long as they are controllers: first run ${commands}`;
}
