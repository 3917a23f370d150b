import { memberLabel } from "../../agents/nodes/promoter/plan";
import { type Controllers, controllersConfig, readRecord } from "../../agents/nodes/promoter/record";
import { isNamed } from "../../agents/nodes/removal/nodes";
import { controllerPool } from "../../agents/nodes/removal/plan";
import type { Caller } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import type { ApiObject, ConfigMap } from "../../clients/kubernetes/objects";
import { controllerLabel } from "../../cluster/labels";
import { type Cluster, possibleControllers } from "../../cluster/model";

type Of = Pick<Cluster, "name" | "controllers">;

/** Who is a controller, as the cluster records it. Empty if it has no candidates, or if the record cannot be read. */
export async function recordedControllers(api: Caller): Promise<Controllers> {
    const path = `/api/v1/namespaces/kube-system/configmaps/${controllersConfig}`;
    const config = await ifFound(api.call<ConfigMap>(path));
    try {
        return readRecord(config ?? {});
    } catch {
        // `tradewind status` reports it. Labels of nodes remain.
        return {};
    }
}

/**
 * Why candidates must not be removed now, or undefined: one that is a controller, becomes one or is being demoted has a
 * member of etcd, and nothing would remove it any more. The stack's own controllers leave in order.
 */
export function candidateProblem(nodes: readonly ApiObject[], record: Controllers, cluster: Of): string | undefined {
    const possible = possibleControllers(cluster);
    const labels = new Map(nodes.map(({ metadata: { name, labels = {} } }) => [name, labels[memberLabel]]));
    const left = [...new Set([...labels.keys(), ...Object.keys(record)])]
        .filter((name) => !possible.includes(name) && !isNamed(cluster.name, controllerPool, name))
        .sort();
    const roleOf = (name: string) => (Object.hasOwn(record, name) ? record[name]!.role : undefined);
    const serving = left.filter(
        (name) => labels.get(name) === "joining" || roleOf(name) === "joining" || roleOf(name) === "controller",
    );
    // Once it has the label `leaving`, only its disk is cleaned up, at the latest when its machine returns.
    const leaving = left.filter(
        (name) => !serving.includes(name) && roleOf(name) === "leaving" && labels.has(name) && !labels.get(name),
    );
    if (serving.length === 0 && leaving.length === 0) return undefined;
    const commands = serving.map((name) => `\`tradewind demote ${name}\``);
    const waits = leaving.length === 0 ? [] : [`wait until ${leaving.join(", ")} is demoted (\`tradewind status\`)`];
    const first = [...(commands.length > 0 ? [`run ${commands.join(", ")}`] : []), ...waits].join(", and ");
    const names = [...serving, ...leaving].join(", ");
    return `controllers.candidates must include the pool of ${names}, and the pool these nodes, as long as they are controllers: first ${first}`;
}

/** A note about fewer controllers of the stack: promoted candidates stay, so there may be more than `count`. */
export function surplusNote(nodes: readonly ApiObject[], { controllers }: Of): string | undefined {
    const possible = possibleControllers({ controllers });
    const { length: count } = controllers.names;
    const serving = nodes.filter(({ metadata }) => controllerLabel in (metadata.labels ?? {}));
    const stay = serving.flatMap(({ metadata: { name } }) => (possible.includes(name) ? [name] : [])).sort();
    if (stay.length === serving.length || stay.length <= count) return undefined;
    return `controllers.count becomes ${count}, but ${stay.length} nodes stay controllers: ${stay.join(", ")}; once this is done, run \`tradewind demote\` for ${stay.length - count} of them`;
}
