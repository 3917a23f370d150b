import type { Group } from "./report";
import { onClouds } from "./scale/clouds";
import { onControlPlane } from "./scale/cluster";

/** How costs grow with the number of nodes: of stacks on simulated clouds, and of one control plane with simulated nodes. */
export const run: Group = async (report, context) => {
    await onClouds(report, context);
    await onControlPlane(report, context);
};
