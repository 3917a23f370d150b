import type { ClusterSteps } from "./clusters";
import { groupChanges } from "./group-changes";
import { etcdDisksOf, type Machine, machinesOf } from "./machines";
import { isResized, why } from "./reasons";

/** What becomes of a machine, and what that costs. */
export interface MachineChange {
    readonly name: string;
    readonly change: string;
    /** As Markdown. */
    readonly cost: string;
}

/** What becomes of the machines of a cluster, those first that cost most. */
export function machineChanges(cluster: ClusterSteps): MachineChange[] {
    const machines = machinesOf(cluster);
    const controllers = machines.filter(({ isController }) => isController);
    const isThere = controllers.some(({ step }) => step.operation !== "create");
    const kept = etcdDisksOf(cluster).filter(({ operation }) => operation === "same" || operation === "update");
    const changes = machines.flatMap((machine): (MachineChange & { rank: number })[] => {
        const { name, isController, step } = machine;
        const hasDisk = isResized(step) || kept.some((disk) => disk.name === `${name}-etcd`);
        if (isAway(machine)) {
            const change = `${step.operation === "replace" ? "made anew" : "stopped for another size"}, by ${why(step)}`;
            const costOfOne = isInTurn(machine) ? costOfTurn : costOfWorker;
            const cost = isController ? costOfController(machine, controllers, hasDisk) : costOfOne;
            return [{ name, change, cost, rank: 0 }];
        }
        switch (step.operation) {
            case "delete":
                return [{ name, change: "goes", cost: isController ? costOfLeaving : costOfRemoval, rank: 1 }];
            case "update":
                return [{ name, change: `changes: ${why(step)}`, cost: costOfUpdate(machine), rank: 2 }];
            case "create":
                return [{ name, change: "comes", cost: isController && isThere ? costOfJoining : "none", rank: 3 }];
            default:
                return [];
        }
    });
    const sorted = changes.sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));
    return [...sorted.map(({ rank, ...change }) => change), ...groupChanges(cluster)];
}

const costOfWorker = "it is not drained before: have it drained first (`kubectl drain`), or its pods end with it";
const costOfTurn = "drained first, as disruption budgets allow, and no other machine is stopped until it is back";
const costOfRemoval = "drained first, as disruption budgets allow";
const costOfLeaving =
    "drained first, and its etcd member leaves before it goes; `up` fails while etcd would lose its majority";
const costOfJoining = "none: it is admitted to etcd when it has the data";

function costOfController({ name }: Machine, all: readonly Machine[], hasDisk: boolean): string {
    const before = all.filter(({ step }) => step.operation !== "create").length;
    const others = all.filter((each) => each.name !== name && isAway(each)).length;
    if (before === 1) {
        const data = hasDisk
            ? "it comes back with the data of its etcd"
            : "**its etcd goes with it: a snapshot has to be restored**";
        return `**no API until it is back**, since it is the only controller; ${data}`;
    }
    if (all.filter(isAway).every(isInTurn)) {
        return `one of ${before} controllers at a time is drained, and away until it is back: the API goes on, and no other may fail meanwhile`;
    }
    if (before - 1 - others <= before / 2) {
        return `**etcd loses its majority**: ${others + 1} of ${before} controllers are away in one \`up\`. Change one after the other, by \`--target\``;
    }
    return `one of ${before} controllers is away until it has joined again: the API goes on, and no other may fail meanwhile`;
}

/** It does not run for a while. */
function isAway({ step }: Machine): boolean {
    return step.operation === "replace" || (step.operation === "update" && isResized(step));
}

/** `up` has one after another of these. */
function isInTurn({ step }: Machine): boolean {
    return step.operation === "update" && isResized(step);
}

/** A local machine's command is remembered, and does nothing. */
function costOfUpdate({ step: { type } }: Machine): string {
    return type === "command:local:Command"
        ? "none: what it boots with is remembered until it is made anew"
        : "none that is known: it is changed while it runs";
}
