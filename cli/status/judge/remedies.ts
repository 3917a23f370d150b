import { containerName } from "../../../machines/names";
import { type ClusterFacts, ETCD, ifKnown, type LeaderFacts } from "../facts";

/** Seconds after which a copy from a checkpoint would have taken over. */
const copySeconds = 180;

/** A command for a machine, as a user can run it. */
export function onMachine({ cluster, isLocal }: Pick<ClusterFacts, "cluster" | "isLocal">, name: string, what: string) {
    return isLocal ? `docker exec ${containerName(cluster, name)} ${what}` : `${what} (on ${name})`;
}

/** The command that brings a local cluster to the state of its stack. */
export function startOf({ cluster }: Pick<ClusterFacts, "cluster">): string {
    return `npm start${cluster === "local" ? "" : ` -- --name ${cluster}`}`;
}

/** What a failed program of a machine printed last, as an addition to a sentence; empty if unknown. */
export function lastWords({ machines }: ClusterFacts, name: string, program: string): string {
    const machine = (ifKnown(machines) ?? []).find((each) => each.name === name);
    const words = ifKnown(machine?.inside)?.lastWords?.[program];
    return words ? `; it last printed: ${words.replace(/\.$/, "")}` : "";
}

/** Nodes of a local cluster that have no machine. */
export function withoutMachine({ isLocal, machines, nodes, pools = {} }: ClusterFacts): string[] {
    const all = ifKnown(machines);
    if (!isLocal || all === undefined) return [];
    const names = new Set([...Object.keys(pools), ...(ifKnown(nodes) ?? []).map(({ name }) => name)]);
    return [...names].filter((name) => !all.some((machine) => machine.name === name));
}

export function recover({ cluster, isLocal }: Pick<ClusterFacts, "cluster" | "isLocal">, from: "api" | "etcd"): string {
    return `tradewind recover --from ${from}${isLocal && cluster !== "local" ? ` --name ${cluster}` : ""}`;
}

/**
 * The recovery from etcd, if no controller can restart its control plane: none runs an apiserver or has a copy of one.
 * Undefined as long as this is not certain: of each controller its machine must answer, with a healthy kubelet.
 */
export function recoveryFromEtcd(facts: ClusterFacts): string | undefined {
    const names = new Set(facts.controllers.map(({ name }) => name));
    const machines = (ifKnown(facts.machines) ?? []).filter(({ name }) => names.has(name));
    const isLost = machines.every(({ inside }) => {
        const { kubelet, containerd, checkpointer, saved } = ifKnown(inside) ?? {};
        // A cluster that is being created has no status of a checkpointer yet.
        const hasServed = checkpointer !== undefined && saved !== undefined;
        return kubelet === "ok" && containerd === "active" && hasServed && !saved.includes("kube-apiserver");
    });
    const runs = (component: string) => (ifKnown(facts.pods) ?? []).some((pod) => pod.component === component);
    if (machines.length === 0 || machines.length < names.size || !isLost) return undefined;
    return runs(ETCD) && !runs("kube-apiserver") ? recover(facts, "etcd") : undefined;
}

/** The recovery by the API, if nothing can start the component: no pod of it exists, and no copy took over. */
export function recoveryFromApi(facts: ClusterFacts, { component, ageSeconds }: LeaderFacts): string | undefined {
    const pods = ifKnown(facts.pods);
    const isLost = pods !== undefined && !pods.some((pod) => pod.component === component && !pod.isEnding);
    const isSaved = (ifKnown(facts.checkpoints) ?? []).some((each) => each.component === component && each.savedAt);
    return isLost && (!isSaved || ageSeconds > copySeconds) ? recover(facts, "api") : undefined;
}
