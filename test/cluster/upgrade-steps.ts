import { stepNames, stepOf } from "../../cluster/upgrades/order";
import type { Run } from "../../local/record";
import type { Tallies } from "./prober";

type Operations = Pick<Run, "operations">;

/** What rolled pods in an `up`, by name, in the order of completion. */
export function rolledOut({ operations }: Operations): Run["operations"] {
    return operations
        .filter(({ kind, verb }) => ["DaemonSet", "Deployment"].includes(kind) && verb === "updated")
        .map(({ name, ...each }) => ({ ...each, name: name.slice(name.lastIndexOf("/") + 1) }));
}

const components: Readonly<Record<string, readonly string[]>> = {
    SelfHosted: ["checkpointer", "kube-apiserver", "kube-controller-manager", "kube-scheduler"],
    Addons: ["flannel", "kube-proxy", "kube-router", "coredns"],
};

/**
 * What finished before something of an earlier step. Pools change one after another.
 *
 * @param pools - in the order in which their kubelets change
 */
export function outOfTurn(names: readonly string[], pools: readonly string[]): string[] {
    const ofSteps = Object.entries(components).flatMap(([component, workloads]) =>
        workloads.map((name): [string, number] => [name, stepNames.indexOf(stepOf(component, name)!)]),
    );
    const ofPools = pools.map((pool, index): [string, number] => [`node-agent-${pool}`, stepNames.length + index]);
    const turns = new Map([...ofSteps, ...ofPools]);
    const turnOf = (name: string) => turns.get(name) ?? -1;
    return names.filter(
        (name, index) =>
            turnOf(name) >= 0 && names.slice(index + 1).some((later) => isBefore(turnOf(later), turnOf(name))),
    );
}

function isBefore(turn: number, other: number): boolean {
    return turn >= 0 && turn < other;
}

/**
 * In readable form: how long each took, and which requests failed meanwhile. The engine's clock has a resolution of
 * seconds.
 */
export function describeSteps(run: Operations, tallies: Tallies): string[] {
    const failures = Object.entries(tallies).flatMap(([kind, each]) =>
        each.failures.map(({ at, what }) => ({ at: Date.parse(at), text: `${kind}: ${what}` })),
    );
    return rolledOut(run).map(({ name, at, seconds }) => {
        const begin = Date.parse(at);
        const during = failures.filter((each) => each.at >= begin && each.at < begin + 1000 * (seconds + 1));
        const some = during.slice(0, 5).map(({ text }) => text);
        return [`${name}: ${seconds} s, ${during.length} failed`, ...some].join("; ");
    });
}
