import { ec2Of } from "../../agents/common/ec2-instances";
import type { InstancesPlan } from "../../agents/serving-approver/plan";
import { groupName } from "./departures";
import { namePattern } from "./machine-groups";
import type { Aws } from "./resolve";

/** Where the agent that approves kubelets' server certificates asks for instances' addresses, and of which groups. */
export function servingInstances(cluster: string, { region, pools }: Pick<Aws, "region" | "pools">): InstancesPlan {
    return {
        ...ec2Of(region),
        namePattern: namePattern(region),
        groups: Object.keys(pools).map((pool) => groupName({ cluster, pool })),
    };
}
