import type { MachineGroups } from "../cluster/machine-groups";
import type { AwsPool } from "./pools";
import type { Aws } from "./resolve";

/** The nodes that Auto Scaling groups may make: as EC2 names instances by their ids, and no more of them than it makes. */
export function machineGroups({ region, pools }: Pick<Aws, "region" | "pools">): MachineGroups | undefined {
    const most = Object.entries(pools).map(([name, pool]) => [name, mostAtATime(pool)] as const);
    if (most.length === 0) return undefined;
    const domain = region === "us-east-1" ? "ec2.internal" : `${region}.compute.internal`;
    return {
        namePattern: `^i-[0-9a-f]{17}(\\.${domain.replaceAll(".", "\\.")})?$`,
        max: Object.fromEntries(most),
    };
}

/** A group has a tenth more, or one, while it evens out its zones, and while it replaces instances. */
function mostAtATime({ most, refresh }: AwsPool): number {
    return Math.max(most + 1, Math.ceil((most * (refresh?.max ?? 110)) / 100));
}
