import type { NodeGroups } from "../../../agents/nodes/removal/plan";
import type { MachineGroups } from "../../../cluster/resolve";
import type { Aws } from "../model";
import type { AwsPool } from "./pools";
import { departuresOf } from "./workers";

/** Which pools there are, though there be none: the nodes of one that goes are taken out of the cluster before it. */
export function nodeGroups({ region, pools }: Pick<Aws, "region" | "pools">): NodeGroups {
    return { namePattern: namePattern(region), wanted: Object.keys(pools) };
}

/** Regular expression of nodes' whole names, as EC2 names instances by their ids. */
export function namePattern(region: string): string {
    return `^i-[0-9a-f]{17}(${instanceDomain(region).replaceAll(".", "\\.")})?$`;
}

/** What follows an instance's id in its name: `.eu-central-1.compute.internal`. */
export function instanceDomain(region: string): string {
    return region === "us-east-1" ? ".ec2.internal" : `.${region}.compute.internal`;
}

/** The nodes that Auto Scaling groups may make: as EC2 names instances by their ids, and no more of them than it makes. */
export function machineGroups(
    cluster: string,
    { region, pools }: Pick<Aws, "region" | "pools">,
): MachineGroups | undefined {
    const most = Object.entries(pools).map(([name, pool]) => [name, mostAtATime(pool)] as const);
    if (most.length === 0) return undefined;
    return {
        namePattern: namePattern(region),
        max: Object.fromEntries(most),
        departures: Object.fromEntries(most.map(([pool]) => [pool, departuresOf({ cluster, pool, region })])),
    };
}

/** A group has a tenth more, or one, while it evens out its zones, and while it replaces instances. */
function mostAtATime({ most, refresh }: AwsPool): number {
    return Math.max(most + 1, Math.ceil((most * (refresh?.max ?? 110)) / 100));
}
