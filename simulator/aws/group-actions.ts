import type { Instance, Resources } from "./account";

/** What a group does now. */
export interface GroupActions {
    /** Ids of instances that are ended. */
    readonly end: readonly string[];
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
 * @param off - seconds for which instances' machines have been off, by id
 */
export function groupActions(
    { autoScalingGroups, instances }: Pick<Resources, "autoScalingGroups" | "instances">,
    name: string,
    off: Readonly<Record<string, number>>,
    now: Date,
): GroupActions {
    const { desired, subnets, rebalances } = autoScalingGroups[name]!;
    const members = Object.entries(instances).filter(([, { madeBy }]) => madeBy === name);
    const isLost = ([id, instance]: Member) =>
        instance.state !== undefined || (off[id] ?? 0) >= secondsUntilGone || isDue(instance, now);
    const there = members.filter((each) => !isLost(each));
    const staying = there.filter(([, { rebalance }]) => !(rebalances && rebalance));
    const missing = desired - staying.length;
    // Those that are likely to be taken away go when others are there.
    const going = missing > 0 ? [] : there.filter((each) => !staying.includes(each));
    const surplus = staying.slice(0, Math.max(0, -missing));
    return {
        end: [...members.filter(isLost), ...going, ...surplus].map(([id]) => id),
        launch: places(subnets, staying, missing),
    };
}

type Member = readonly [string, Instance];

function isDue({ interruption }: Instance, now: Date): boolean {
    return interruption !== undefined && Date.parse(interruption.time) <= now.getTime();
}

function places(subnets: readonly string[], members: readonly Member[], missing: number): string[] {
    const counts = subnets.map((id) => ({ id, count: members.filter(([, { subnet }]) => subnet === id).length }));
    return Array.from({ length: Math.max(0, missing) }, () => {
        const emptiest = counts.reduce((least, each) => (each.count < least.count ? each : least));
        emptiest.count++;
        return emptiest.id;
    });
}
