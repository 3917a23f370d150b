import { differences, UNKNOWN } from "./differences";
import { etcdDisksOf, groupsOf, type Machine, machinesOf } from "./machine-configs";
import type { ClusterSteps, OwnedStep } from "./model";
import { at } from "./workloads";

/** What becomes of a machine, and what that costs. */
interface MachineChange {
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

/** What becomes of pools whose machines a cloud makes. */
function groupChanges(cluster: ClusterSteps): MachineChange[] {
    return groupsOf(cluster).flatMap(changesOf);
}

/** Groups whose machines the cloud makes anew. */
export function refreshedGroups(cluster: ClusterSteps): string[] {
    const isRefreshed = (step: OwnedStep) =>
        step.operation === "update" && at(step.new, "instanceRefresh") !== undefined && hasOtherTemplate(step);
    return groupsOf(cluster)
        .filter(isRefreshed)
        .map(({ name }) => name);
}

function changesOf(step: OwnedStep): MachineChange[] {
    const { operation, name } = step;
    if (operation === "same") return [];
    if (operation === "create") return [{ name, change: "a pool that comes", cost: "none" }];
    if (operation === "delete") return [{ name, change: "a pool that goes", cost: costOfFewer }];
    if (operation === "replace") return [{ name, change: "a pool that is made anew", cost: costOfFewer }];
    return [...sizeChange(step), ...(hasOtherTemplate(step) ? [{ name, ...templateChange(step) }] : [])];
}

/** As docs/aws.md has it. */
const costOfEnd = "end within 50 seconds, whatever disruption budgets say";
const costOfFewer = `pods of those that go ${costOfEnd}`;

function sizeChange({ name, old, new: coming }: OwnedStep): MachineChange[] {
    const [before, after] = [old, coming].map((values) => at(values, "desiredCapacity"));
    if (before === after || typeof after !== "number") return [];
    return [
        { name, change: `${before} machines become ${after}`, cost: Number(before) > after ? costOfFewer : "none" },
    ];
}

function hasOtherTemplate({ old, new: coming }: OwnedStep): boolean {
    const keys = ["launchTemplate", "mixedInstancesPolicy"];
    return keys.some((key) => differences(old?.[key], coming?.[key]).length > 0);
}

function templateChange({ new: values }: OwnedStep): Pick<MachineChange, "change" | "cost"> {
    const preferences = at(values, "instanceRefresh", "preferences");
    if (preferences === undefined) {
        return {
            change: "another launch template",
            cost: "none: its machines stay as they are, those that come later boot with it",
        };
    }
    const [least, most] = ["minHealthyPercentage", "maxHealthyPercentage"].map((key) => at(preferences, key));
    return {
        change: `its ${at(values, "desiredCapacity")} machines are made anew, after all else`,
        cost: `${least} to ${most} % of them are in service meanwhile; pods of those that go ${costOfEnd}`,
    };
}

/** Whether a cloud has to stop a machine for a change of it. */
function isResized({ type, changed }: OwnedStep): boolean {
    return type !== "command:local:Command" && changed.some((path) => path === "size" || path === "instanceType");
}

/** Why something is changed or made anew, in words: what of it is another, and which, where that is short. */
function why({ replaces, changed, old, new: coming, type }: OwnedStep): string {
    const paths = replaces.length > 0 ? replaces : changed;
    if (type === "command:local:Command") return paths.includes("stdin") ? "what it boots with" : paths.join(", ");
    const named = paths.map((path) => {
        const [from, to] = [at(old, ...path.split(".")), at(coming, ...path.split("."))];
        const isTold = isShort(from) && isShort(to) && from !== to && to !== UNKNOWN;
        return isTold ? `${path} ${from} → ${to}` : path;
    });
    return named.join(", ") || "order";
}

function isShort(value: unknown): boolean {
    return ["string", "number", "boolean"].includes(typeof value) && String(value).length < 40;
}
