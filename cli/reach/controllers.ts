import { controllersConfig, readRecord, roleIn } from "../../agents/nodes/promoter/record";
import { clientOf } from "../../clients/kubernetes/kubeconfig";
import type { ConfigMap } from "../../clients/kubernetes/objects";
import { type Cluster, possibleControllers } from "../../cluster/model";
import { paths } from "../../cluster/paths";
import type { ClusterAccess, ClusterMachines } from "./cluster";

const recordPath = `/api/v1/namespaces/kube-system/configmaps/${controllersConfig}`;

/** For the API, and for each machine. Unit: milliseconds. */
const answerMilliseconds = 10_000;

interface Reached {
    readonly access: Pick<ClusterAccess, "connection">;
    readonly machines: Pick<ClusterMachines, "controller">;
}

/**
 * Names of the nodes that are controllers now: with candidates, the cluster decides that.
 *
 * From the cluster's record. Without the API: those whose machine has a member of etcd, then the stack's other
 * controllers, which may have lost theirs. A candidate that does not answer is not listed.
 */
export async function currentControllers(reached: Reached, cluster: Pick<Cluster, "controllers">): Promise<string[]> {
    const { names, candidates } = cluster.controllers;
    if (candidates.length === 0) return [...names];
    const recorded = await fromRecord(reached, cluster).catch(() => undefined);
    return recorded ?? fromMachines(reached, cluster);
}

async function fromRecord({ access: { connection } }: Reached, cluster: Pick<Cluster, "controllers">) {
    if (connection === undefined) return undefined;
    const config = await clientOf(connection, "tradewind").closeAfter((api) =>
        api.call<ConfigMap>(recordPath, { timeoutMilliseconds: answerMilliseconds }),
    );
    const record = readRecord(config);
    const { candidates } = cluster.controllers;
    return possibleControllers(cluster).filter((node) => roleIn(record, candidates, node) === "controller");
}

async function fromMachines({ machines }: Reached, cluster: Pick<Cluster, "controllers">): Promise<string[]> {
    const possible = possibleControllers(cluster);
    const members = await Promise.all(possible.map((node) => hasMember(machines, node)));
    const found = possible.filter((_, index) => members[index]);
    return [...new Set([...found, ...cluster.controllers.names])];
}

async function hasMember(machines: Reached["machines"], node: string): Promise<boolean> {
    try {
        const script = `if [ -s ${paths.etcdStaticPod} ]; then echo yes; fi`;
        return (await machines.controller(node, answerMilliseconds).run(script)).trim() === "yes";
    } catch {
        return false;
    }
}
