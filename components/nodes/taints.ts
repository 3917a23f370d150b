import type { Cluster, Taint } from "../cluster/model";
import { controllerLabel } from "../control-plane/pod";

/** Taints with which the nodes of a pool register; `controller` is one. */
export function taintsOf({ controllers, workerPools }: Cluster, pool: string): readonly Taint[] {
    if (pool === "controller") {
        return controllers.isSchedulable ? [] : [{ key: controllerLabel, value: "", effect: "NoSchedule" }];
    }
    return workerPools.find(({ name }) => name === pool)?.taints ?? [];
}
