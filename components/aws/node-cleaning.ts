import type { CleanedGroups } from "../control-plane/node-cleaner";
import { machineGroups } from "./machine-groups";
import type { Allowance } from "./policy";
import type { Aws } from "./resolve";

/**
 * The nodes that an agent deletes when their instances are gone: nobody's where the cloud controller does that. Where nothing
 * gets out, an endpoint leads it to EC2.
 */
export function cleanedGroups(aws: Aws): CleanedGroups | undefined {
    const groups = machineGroups(aws);
    if (!groups || aws.hasCloudController) return undefined;
    return { namePattern: groups.namePattern, region: aws.region };
}

/** It can't be limited to a cluster. */
export const nodeCleanerRights: readonly Allowance[] = [{ actions: ["ec2:DescribeInstances"] }];
