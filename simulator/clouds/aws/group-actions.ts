import type { Tree } from "../shared/tree";
import type { Instance, Resources } from "./account";

/** What a group does next. */
export interface GroupActions {
    /** Ids of instances to terminate. */
    readonly end: readonly string[];
    /** Ids of instances to terminate without waiting, because they have already stopped. */
    readonly leave: readonly string[];
    /** The subnets to launch an instance in, one entry per instance. */
    readonly launch: readonly string[];
}

/**
 * How long a machine has to be off or missing to count as terminated. Unit: seconds.
 *
 * The EC2 health check replaces an instance in any state but running, while one whose operating system reboots stays
 * running. Such a machine, or one that is restarted by hand, is briefly off.
 */
export const secondsUntilRemoved = 10;

/**
 * Brings a group to its size: terminates what is dead, due or surplus, oldest first, and launches what is missing in
 * the subnet with the fewest instances. Nothing else changes the group meanwhile: a half-finished launch or termination
 * was interrupted.
 *
 * A refresh replaces one instance at a time: it launches one of the current version and, when that is warm, terminates
 * one of another version.
 *
 * @param off - seconds for which instances' machines have been off, by id
 */
export function groupActions(
    { autoScalingGroups, instances }: Pick<Resources, "autoScalingGroups" | "instances">,
    name: string,
    off: Readonly<Record<string, number>>,
    now: Date,
): GroupActions {
    const { desired, subnets, rebalances, createdFrom, warmupSeconds } = autoScalingGroups[name]!;
    const members = Object.entries(instances).filter(([, { createdBy }]) => createdBy === name);
    const isLost = ([id, instance]: Member) =>
        instance.state !== undefined || (off[id] ?? 0) >= secondsUntilRemoved || isDue(instance, now);
    const kept = members.filter((each) => !isLost(each) && each[1].waiting === undefined);
    // Replaced at once, but it is asked to shut down: only its status checks say that it is impaired.
    const impaired = kept.filter(([, { failedCheck }]) => failedCheck).map(([id]) => id);
    const there = kept.filter(([id]) => !impaired.includes(id));
    const staying = there.filter(([, { rebalance }]) => !(rebalances && rebalance));
    const end = members.filter(isLost).map(([id]) => id);
    const missing = desired - staying.length;
    const outdated = warmupSeconds === undefined ? [] : staying.filter(([, each]) => each.createdFrom !== createdFrom);
    const mayRefresh = outdated.length > 0 && !members.some(([, { waiting }]) => waiting);
    if (mayRefresh && missing === 0) {
        // The next one is launched in the subnet that loses one.
        return { end, leave: impaired, launch: places(subnets, staying, 1, outdated[0]) };
    }
    if (outdated.length > 0 && missing === -1) {
        const isWarm = staying.every((each) => outdated.includes(each) || isSince(each, warmupSeconds!, now));
        return { end, leave: [...impaired, ...(mayRefresh && isWarm ? [outdated[0]![0]] : [])], launch: [] };
    }
    // Instances at risk of interruption are terminated once their replacements exist.
    const going = missing > 0 ? [] : there.filter((each) => !staying.includes(each));
    const surplus = staying.slice(0, Math.max(0, -missing));
    return {
        end,
        leave: [...impaired, ...[...going, ...surplus].map(([id]) => id)],
        launch: places(subnets, staying, missing),
    };
}

type Member = readonly [string, Instance];

function isDue({ interruption, waiting }: Instance, now: Date): boolean {
    return [interruption?.time, waiting?.until].some((time) => time !== undefined && Date.parse(time) <= now.getTime());
}

function isSince([, { launched = "" }]: Member, seconds: number, now: Date): boolean {
    return Date.parse(launched) + seconds * 1000 <= now.getTime();
}

/** @param going - not counted */
function places(subnets: readonly string[], members: readonly Member[], missing: number, going?: Member): string[] {
    const staying = members.filter((each) => each !== going);
    const counts = subnets.map((id) => ({ id, count: staying.filter(([, { subnet }]) => subnet === id).length }));
    return Array.from({ length: Math.max(0, missing) }, () => {
        const emptiest = counts.reduce((least, each) => (each.count < least.count ? each : least));
        emptiest.count++;
        return emptiest.id;
    });
}

/**
 * The lifecycle state that the metadata service reports to an instance of a group.
 *
 * Source: "Retrieve the target lifecycle state through instance metadata".
 */
export function groupTree({ createdBy, waiting }: Instance): Tree {
    if (createdBy === undefined) return {};
    return { autoscaling: { "target-lifecycle-state": waiting ? "Terminated" : "InService" } };
}
