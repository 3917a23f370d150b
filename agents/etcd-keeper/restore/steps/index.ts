import type { Step } from "../run";
import { fetchSnapshot } from "./fetch-snapshot";
import { restoreData } from "./restore-data";
import { startMember } from "./start-member";
import { stopMember } from "./stop-member";
import { swapData } from "./swap-data";
import { waitUntilServing } from "./wait-until-serving";

/** Each finds out from the disk what is left to do. Until `stop-member` nothing is changed. */
export const steps: readonly Step[] = [fetchSnapshot, stopMember, restoreData, swapData, startMember, waitUntilServing];
