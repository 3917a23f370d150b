import type { Kubelet } from "../plan";
import { StateFile } from "../state-file";

/** Progress of a change of the kubelet, across all runs of the agent and all boots of the machine. */
export type Journal =
    | { readonly phase: "idle" }
    | {
          readonly phase: "upgrading";
          readonly from: Kubelet;
          readonly to: Kubelet;
          /** The new kubelet was selected and its start requested. */
          readonly isSwitched: boolean;
      }
    | {
          readonly phase: "reverting";
          readonly from: Kubelet;
          readonly to: Kubelet;
          readonly reason: string;
          /** Number of failed starts of the previous kubelet. */
          readonly attempts: number;
          readonly isSwitched: boolean;
          /**
           * UID of the agent's pod that gave up. @default - the pod that finds the previous kubelet restored (written
           * by earlier agents)
           */
          readonly pod?: string;
      }
    | {
          readonly phase: "failed";
          readonly to: Kubelet;
          readonly reason: string;
          /** UID of the agent's pod that failed: another one may retry. */
          readonly pod: string;
      };

/** The journal on disk. */
export function journalFile(stateDirectory: string): StateFile<Journal> {
    return new StateFile(stateDirectory, "journal.json", { phase: "idle" });
}
