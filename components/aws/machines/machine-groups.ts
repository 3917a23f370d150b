import type { NodeGroups } from "../../../agents/nodes/removal/plan";
import type { MachineGroups } from "../../../cluster/resolve";
import type { Aws } from "../model";
import type { AwsPool } from "./pools";
import { departuresOf } from "./workers";

/** The pools, also when there are none: nodes of a removed pool are removed from the cluster before the pool. */
export function nodeGroups({ region, pools }: Pick<Aws, "region" | "pools">): NodeGroups {
    return { namePattern: namePattern(region), desired: Object.keys(pools) };
}

/** Regular expression that matches full node names; EC2 names instances by their ids. */
export function namePattern(region: string): string {
    return `^i-[0-9a-f]{17}(${instanceDomain(region).replaceAll(".", "\\.")})?$`;
}

/** Suffix of a node name after the instance id: `.eu-central-1.compute.internal`. */
export function instanceDomain(region: string): string {
    return region === "us-east-1" ? ".ec2.internal" : `.${region}.compute.internal`;
}

/** Nodes that Auto Scaling groups may create: named by EC2 instance ids, and at most as many as a group can have. */
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

/** While a group rebalances its zones or replaces instances, it has up to a tenth more, or at least one more. */
function mostAtATime({ most, refresh }: AwsPool): number {
    return Math.max(most + 1, Math.ceil((most * (refresh?.max ?? 110)) / 100));
}
