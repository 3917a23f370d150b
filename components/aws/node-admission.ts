import { ec2Of } from "../../agents/common/ec2-instances";
import type { PooledMachines } from "../node-approval";
import { groupName } from "./departures";
import { instanceDomain, namePattern } from "./machine-groups";
import type { Aws } from "./resolve";

/** The groups whose instances are admitted as nodes when EC2 says that they run and are the group's. */
export function pooledMachines(
    cluster: string,
    { region, pools }: Pick<Aws, "region" | "pools">,
): PooledMachines | undefined {
    const names = Object.keys(pools);
    if (names.length === 0) return undefined;
    return {
        groups: Object.fromEntries(names.map((pool) => [pool, groupName({ cluster, pool })])),
        instances: { ...ec2Of(region), namePattern: namePattern(region), domain: instanceDomain(region) },
    };
}
