import type { Step } from "../run";
import { addLearner } from "./add-learner";
import { findCluster } from "./find-cluster";
import { installMember } from "./install-member";
import { moveMember } from "./move-member";
import { promote } from "./promote";
import { removeStaleMember } from "./remove-stale-member";
import { waitUntilHealthy } from "./wait-until-healthy";
import { waitUntilServing } from "./wait-until-serving";

/** Each finds out by itself what is left to do, from the cluster and the disk: there is no journal to go wrong. */
export const steps: readonly Step[] = [
    findCluster,
    removeStaleMember,
    moveMember,
    addLearner,
    installMember,
    waitUntilServing,
    promote,
    waitUntilHealthy,
];
