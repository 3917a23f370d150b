import type { Kubelet } from "../plan";
import { StateFile } from "../state-file";

/** Where a change of the kubelet stands, over all runs of the agent and all boots of the machine. */
export type Journal =
    | { readonly phase: "idle" }
    | {
          readonly phase: "upgrading";
          readonly from: Kubelet;
          readonly to: Kubelet;
          /** The new kubelet was selected, and its start asked for. */
          readonly isSwitched: boolean;
      }
    | {
          readonly phase: "reverting";
          readonly from: Kubelet;
          readonly to: Kubelet;
          readonly reason: string;
          /** How often the previous kubelet was started in vain. */
          readonly attempts: number;
          readonly isSwitched: boolean;
          /** UID of the agent's pod that gave up. @default - the one that sees the previous kubelet back: of earlier agents */
          readonly pod?: string;
      }
    | {
          readonly phase: "failed";
          readonly to: Kubelet;
          readonly reason: string;
          /** UID of the agent's pod that failed: another one may try again. */
          readonly pod: string;
      };

/** The journal on disk. */
export function journalFile(stateDirectory: string): StateFile<Journal> {
    return new StateFile(stateDirectory, "journal.json", { phase: "idle" });
}
