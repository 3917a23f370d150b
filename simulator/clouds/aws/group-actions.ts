import type { Tree } from "../shared/tree";
import type { Instance, Resources } from "./account";

/** What a group does now. */
export interface GroupActions {
    /** Ids of instances that are ended. */
    readonly end: readonly string[];
    /** Ids of those that are ended when they may: nothing is waited for where something has gone already. */
    readonly leave: readonly string[];
    /** The subnets in which one is launched, once for each. */
    readonly launch: readonly string[];
}

/**
 * For how long a machine has to be off, or not there at all, to be gone. Unit: seconds.
 *
 * That is what a health check of the type EC2 goes by: an instance in any state but running is replaced, and one whose
 * operating system reboots is running all the while. Such a machine, or one that somebody restarts, is off for a moment.
 */
export const secondsUntilGone = 10;

/**
 * What brings a group to its size: what is gone, due or too much is ended, the oldest first, and what is missing comes
 * to the subnet that has the fewest. Nobody else is at work on it: what is half made or half ended was left so.
 *
 * A refresh goes one instance at a time: one of today's version comes, and when it is warm one of another version goes.
 *
 * @param off - seconds for which instances' machines have been off, by id
 */
export function groupActions(
    { autoScalingGroups, instances }: Pick<Resources, "autoScalingGroups" | "instances">,
    name: string,
    off: Readonly<Record<string, number>>,
    now: Date,
): GroupActions {
    const { desired, subnets, rebalances, madeFrom, warmupSeconds } = autoScalingGroups[name]!;
    const members = Object.entries(instances).filter(([, { madeBy }]) => madeBy === name);
    const isLost = ([id, instance]: Member) =>
        instance.state !== undefined || (off[id] ?? 0) >= secondsUntilGone || isDue(instance, now);
    const there = members.filter((each) => !isLost(each) && each[1].waiting === undefined);
    const staying = there.filter(([, { rebalance }]) => !(rebalances && rebalance));
    const end = members.filter(isLost).map(([id]) => id);
    const missing = desired - staying.length;
    const outdated = warmupSeconds === undefined ? [] : staying.filter(([, each]) => each.madeFrom !== madeFrom);
    const mayRefresh = outdated.length > 0 && !members.some(([, { waiting }]) => waiting);
    if (mayRefresh && missing === 0) {
        // The next one comes to where one goes.
        return { end, leave: [], launch: places(subnets, staying, 1, outdated[0]) };
    }
    if (outdated.length > 0 && missing === -1) {
        const isWarm = staying.every((each) => outdated.includes(each) || isSince(each, warmupSeconds!, now));
        return { end, leave: mayRefresh && isWarm ? [outdated[0]![0]] : [], launch: [] };
    }
    // Those that are likely to be taken away go when others are there.
    const going = missing > 0 ? [] : there.filter((each) => !staying.includes(each));
    const surplus = staying.slice(0, Math.max(0, -missing));
    return {
        end,
        leave: [...going, ...surplus].map(([id]) => id),
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

/** @param going - is not counted */
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
 * What the metadata service tells an instance of what its group wants of it.
 *
 * Source: "Retrieve the target lifecycle state through instance metadata".
 */
export function groupTree({ madeBy, waiting }: Instance): Tree {
    if (madeBy === undefined) return {};
    return { autoscaling: { "target-lifecycle-state": waiting ? "Terminated" : "InService" } };
}
