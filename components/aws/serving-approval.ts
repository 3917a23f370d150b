import { serviceUrl } from "../../agents/common/aws-query";
import type { InstancesPlan } from "../../agents/serving-approver/plan";
import { groupName } from "./departures";
import { namePattern } from "./machine-groups";
import type { Allowance } from "./policy";
import type { Aws } from "./resolve";

/** Where the agent that approves kubelets' server certificates asks for instances' addresses, and of which groups. */
export function servingInstances(cluster: string, { region, pools }: Pick<Aws, "region" | "pools">): InstancesPlan {
    return {
        ec2: serviceUrl("ec2", region),
        region,
        namePattern: namePattern(region),
        groups: Object.keys(pools).map((pool) => groupName({ cluster, pool })),
    };
}

/** It can't be limited to a cluster. */
export const servingApproverRights: readonly Allowance[] = [{ actions: ["ec2:DescribeInstances"] }];
