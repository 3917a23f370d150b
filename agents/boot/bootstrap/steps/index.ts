import type { Step } from "../run";
import { findState, verifyAssets } from "./begin";
import { startApiserver, startControllers, stopCopies, waitForApi, writeAllCheckpoints } from "./copies";
import { cleanUp, recordPivot } from "./end";
import { hold, readmitMembers, removeStaleNodes } from "./recovery";
import { applyAddons, applyManifests, labelNode, waitForSelfHosted } from "./self-hosted-control-plane";
import { takeOver } from "./take-over";

/** The bootstrap, in order. */
export const steps: readonly Step[] = [
    verifyAssets,
    findState,
    writeAllCheckpoints,
    startApiserver,
    waitForApi,
    startControllers,
    applyManifests,
    labelNode,
    waitForSelfHosted,
    applyAddons,
    stopCopies,
    recordPivot,
    cleanUp,
];

/** The steps of a recovery, in order: the same plus those that only an existing cluster needs. */
export const recoverySteps: readonly Step[] = steps.flatMap((step) => {
    switch (step) {
        case waitForApi:
            return [waitForApi, takeOver];
        case labelNode:
            return [labelNode, removeStaleNodes, hold];
        case recordPivot:
            return [readmitMembers, recordPivot];
        default:
            return [step];
    }
});
