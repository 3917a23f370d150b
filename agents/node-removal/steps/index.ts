import type { Step } from "../run";
import { cordon } from "./cordon";
import { deleteNodes } from "./delete-nodes";
import { drain } from "./drain";
import { findNodes } from "./find-nodes";
import { forgetCheckpoints } from "./forget-checkpoints";
import { moveLeader } from "./move-leader";
import { releaseControlPlane } from "./release-control-plane";
import { removeMembers } from "./remove-members";

/** Each finds out by itself what is left to do, from the API and etcd: there is no journal to go wrong. */
export const steps: readonly Step[] = [
    findNodes,
    cordon,
    drain,
    forgetCheckpoints,
    releaseControlPlane,
    moveLeader,
    removeMembers,
    deleteNodes,
];
