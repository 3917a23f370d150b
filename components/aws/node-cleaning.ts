import type { CleanedGroups } from "../control-plane/node-cleaner";
import { endpointServices } from "./endpoint-services";
import { machineGroups } from "./machine-groups";
import type { Allowance } from "./policy";
import type { Aws } from "./resolve";

/**
 * The nodes that an agent deletes when their instances are gone. Nobody's where the cloud controller does that, nor where
 * nothing leads to EC2: an endpoint costs by the hour, and is there for others that call it, or where it is asked for.
 */
export function cleanedGroups(aws: Aws): CleanedGroups | undefined {
    const groups = machineGroups(aws);
    const reachesEc2 = aws.natGateways !== "none" || endpointServices(aws).includes("ec2");
    if (!groups || aws.hasCloudController || !reachesEc2) return undefined;
    return { namePattern: groups.namePattern, region: aws.region };
}

/** It can't be limited to a cluster. */
export const nodeCleanerRights: readonly Allowance[] = [{ actions: ["ec2:DescribeInstances"] }];
