import type { Cluster } from "../cluster/model";
import { priorities } from "../cluster/priorities";

/** Pods of a priority and above, up to the next phase's, and the seconds that they have to end. */
export interface ShutdownPhase {
    readonly priority: number;
    readonly shutdownGracePeriodSeconds: number;
}

/**
 * How a kubelet ends its pods when the machine shuts down: one phase after the other, each as soon as the one before is
 * done. Workloads go first; an apiserver cannot drain without its etcd.
 *
 * An only controller's apiserver would drain for nobody: there is no other to which its clients could go, and each second
 * that it serves on is one more until it serves again. It has one to answer what it was asked; its etcd then ends while
 * the machine does.
 */
export function shutdownPhases(
    { controllers }: { controllers: Pick<Cluster["controllers"], "names"> },
    pool: string,
): readonly ShutdownPhase[] {
    const isOnlyController = pool === "controller" && controllers.names.length === 1;
    const [control, node] = isOnlyController ? [1, 0] : [15, 5];
    return [
        { priority: 0, shutdownGracePeriodSeconds: 30 },
        { priority: priorities.control.value, shutdownGracePeriodSeconds: control },
        { priority: priorities.node.value, shutdownGracePeriodSeconds: node },
    ];
}
