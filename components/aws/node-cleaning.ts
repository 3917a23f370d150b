import type { CleanedGroups } from "../control-plane/node-cleaner";
import { namePattern } from "./machine-groups";
import type { Aws } from "./resolve";

/**
 * The nodes that an agent deletes when their instances are gone: nobody's where the cloud controller does that. Where nothing
 * gets out, an endpoint leads it to EC2.
 */
export function cleanedGroups({ region, pools, hasCloudController }: Aws): CleanedGroups | undefined {
    if (Object.keys(pools).length === 0 || hasCloudController) return undefined;
    return { namePattern: namePattern(region), region };
}
