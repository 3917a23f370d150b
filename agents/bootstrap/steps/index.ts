import type { Step } from "../run";
import { applyAddons } from "./apply-addons";
import { applyManifests } from "./apply-manifests";
import { cleanUp } from "./clean-up";
import { findState } from "./find-state";
import { hold } from "./hold";
import { installSecrets } from "./install-secrets";
import { labelNode } from "./label-node";
import { readmitMembers } from "./readmit-members";
import { recordPivot } from "./record-pivot";
import { removeStaleNodes } from "./remove-stale-nodes";
import { startTemporaryApiserver } from "./start-temporary-apiserver";
import { startTemporaryControllers } from "./start-temporary-controllers";
import { stopTemporaryApiserver } from "./stop-temporary-apiserver";
import { stopTemporaryControllers } from "./stop-temporary-controllers";
import { verifyAssets } from "./verify-assets";
import { waitForApi } from "./wait-for-api";
import { waitForSelfHosted } from "./wait-for-self-hosted";

/** The bootstrap, in order. */
export const steps: readonly Step[] = [
    verifyAssets,
    findState,
    installSecrets,
    startTemporaryApiserver,
    waitForApi,
    startTemporaryControllers,
    applyManifests,
    labelNode,
    waitForSelfHosted,
    applyAddons,
    stopTemporaryApiserver,
    stopTemporaryControllers,
    recordPivot,
    cleanUp,
];

/** A recovery, in order: the same, with what only a cluster that was there before needs. */
export const recoverySteps: readonly Step[] = steps.flatMap((step) => {
    switch (step) {
        case labelNode:
            return [labelNode, removeStaleNodes, hold];
        case recordPivot:
            return [readmitMembers, recordPivot];
        default:
            return [step];
    }
});
