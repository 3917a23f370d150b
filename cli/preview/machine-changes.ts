import { arbiterPool } from "../../agents/nodes/removal/plan";
import { allClouds } from "../../cluster/clouds";
import { differences, UNKNOWN } from "./differences";
import { etcdDisksOf, groupsOf, type Machine, machinesOf } from "./machine-configs";
import type { ClusterSteps, OwnedStep } from "./model";
import { at } from "./workloads";

/** What happens to a machine, and its impact. */
export interface MachineChange {
    readonly name: string;
    readonly change: string;
    /** As Markdown. */
    readonly cost: string;
    /** Its pool, if it is a single machine. */
    readonly pool?: string;
}

/** The changes to the machines of a cluster, those with the greatest impact first. */
export function machineChanges(cluster: ClusterSteps): MachineChange[] {
    const machines = machinesOf(cluster);
    const members = machines.filter(({ hasMember }) => hasMember);
    const isThere = members.some(({ step }) => step.operation !== "create");
    const kept = etcdDisksOf(cluster).filter(({ operation }) => operation === "same" || operation === "update");
    const changes = machines.flatMap((machine): (MachineChange & { rank: number })[] => {
        const { name, pool, hasMember, step } = machine;
        const hasDisk = isResized(step) || kept.some((disk) => disk.name === `${name}-etcd`);
        if (isDown(machine)) {
            const change = `${step.operation === "replace" ? "replaced" : "stopped to be resized"} (${why(step)})`;
            const costOfOne = isInTurn(machine) ? costOfTurn : costOfWorker;
            const cost = hasMember ? costOfMember(machine, members, hasDisk) : costOfOne;
            return [{ name, pool, change, cost, rank: 0 }];
        }
        switch (step.operation) {
            case "delete":
                return [{ name, pool, change: "removed", cost: hasMember ? costOfLeaving : costOfRemoval, rank: 1 }];
            case "update":
                return [{ name, pool, change: `changed (${why(step)})`, cost: costOfUpdate(machine), rank: 2 }];
            case "create":
                return [{ name, pool, change: "added", cost: hasMember && isThere ? costOfJoining : "none", rank: 3 }];
            default:
                return [];
        }
    });
    const names = new Intl.Collator("en", { numeric: true });
    const sorted = changes.sort((a, b) => a.rank - b.rank || names.compare(a.name, b.name));
    return [...sorted.map(({ rank, ...change }) => change), ...groupChanges(cluster)];
}

const costOfWorker = "not drained: run `kubectl drain` first, or its pods are killed";
const costOfTurn = "drained first, respecting disruption budgets; no other machine is stopped until it is back";
const costOfRemoval = "drained first, respecting disruption budgets";
const costOfLeaving =
    "drained first, and its etcd member is removed before the machine; `up` fails if etcd would lose quorum";
const costOfJoining = "none: it becomes a voting etcd member once it has caught up";

function costOfMember({ name }: Machine, all: readonly Machine[], hasDisk: boolean): string {
    const before = all.filter(({ step }) => step.operation !== "create").length;
    const others = all.filter((each) => each.name !== name && isDown(each)).length;
    const [some, other] = all.some(({ pool }) => pool === arbiterPool)
        ? ["members of etcd", "member"]
        : ["controllers", "controller"];
    if (before === 1) {
        const data = hasDisk ? "its etcd data is kept" : "**its etcd data is lost: a snapshot has to be restored**";
        return `**no API until it is back**, as it is the only controller; ${data}`;
    }
    if (all.filter(isDown).every(isInTurn)) {
        return `one of ${before} ${some} at a time is drained and down until it is back: the API stays up, but no other ${other} may fail meanwhile`;
    }
    if (before - 1 - others <= before / 2) {
        return `**etcd loses quorum**: ${others + 1} of ${before} ${some} are down in one \`up\`. Change them one at a time with \`--target\``;
    }
    return `one of ${before} ${some} is down until it has rejoined: the API stays up, but no other ${other} may fail meanwhile`;
}

/** Whether the machine is down for a while. */
function isDown({ step }: Machine): boolean {
    return step.operation === "replace" || (step.operation === "update" && isResized(step));
}

/** Whether `up` changes these machines one at a time. */
function isInTurn({ step }: Machine): boolean {
    return step.operation === "update" && isResized(step);
}

/** The command of a local machine is only recorded, without effect. */
function costOfUpdate({ step: { type } }: Machine): string {
    return type === "command:local:Command"
        ? "none: its new node config takes effect when the machine is replaced"
        : "none known: it is changed while running";
}

/** Changes to pools whose machines are managed by a cloud. */
function groupChanges(cluster: ClusterSteps): MachineChange[] {
    return groupsOf(cluster).flatMap(changesOf);
}

/** Groups whose machines the cloud replaces. */
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
    if (operation === "create") return [{ name, change: "pool added", cost: "none" }];
    if (operation === "delete") return [{ name, change: "pool removed", cost: costOfFewer }];
    if (operation === "replace") return [{ name, change: "pool replaced", cost: costOfFewer }];
    return [...sizeChange(step), ...(hasOtherTemplate(step) ? [{ name, ...templateChange(step) }] : [])];
}

/** As documented in docs/aws-pools.md. */
const costOfEnd = "are evicted within disruption budgets, for up to the pool's drainTimeout";
const costOfFewer = `pods on removed machines ${costOfEnd}`;

function sizeChange({ name, old, new: coming }: OwnedStep): MachineChange[] {
    const [before, after] = [old, coming].map((values) => at(values, "desiredCapacity"));
    if (before === after || typeof after !== "number") return [];
    return [{ name, change: `${before} → ${after} machines`, cost: Number(before) > after ? costOfFewer : "none" }];
}

function hasOtherTemplate({ old, new: coming }: OwnedStep): boolean {
    const keys = ["launchTemplate", "mixedInstancesPolicy"];
    return keys.some((key) => differences(old?.[key], coming?.[key]).length > 0);
}

function templateChange({ new: values }: OwnedStep): Pick<MachineChange, "change" | "cost"> {
    const preferences = at(values, "instanceRefresh", "preferences");
    if (preferences === undefined) {
        return {
            change: "launch template changed",
            cost: "none: existing machines stay unchanged, new ones use it",
        };
    }
    const [least, most] = ["minHealthyPercentage", "maxHealthyPercentage"].map((key) => at(preferences, key));
    return {
        change: `its ${at(values, "desiredCapacity")} machines are replaced, after everything else`,
        cost: `${least} to ${most} % of them are in service meanwhile; pods on removed machines ${costOfEnd}`,
    };
}

/** Whether a cloud has to stop a machine for this change. */
function isResized({ type, changed }: OwnedStep): boolean {
    return allClouds.some(({ machine }) => machine.type === type && changed.includes(machine.size));
}

/** Why something is changed or replaced: the changed paths, with their values if short. */
function why({ replaces, changed, old, new: coming, type }: OwnedStep): string {
    const paths = replaces.length > 0 ? replaces : changed;
    if (type === "command:local:Command") return paths.includes("stdin") ? "node config" : paths.join(", ");
    const named = paths.map((path) => {
        const [from, to] = [at(old, ...path.split(".")), at(coming, ...path.split("."))];
        const isShown = isShort(from) && isShort(to) && from !== to && to !== UNKNOWN;
        return isShown ? `${path} ${from} → ${to}` : path;
    });
    return named.join(", ") || "order";
}

function isShort(value: unknown): boolean {
    return ["string", "number", "boolean"].includes(typeof value) && String(value).length < 40;
}
