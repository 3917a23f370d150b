import { StateFile } from "../state-file";

/** Progress of a reboot, across all runs of the agent and all boots of the machine. */
export type RebootJournal =
    | {
          readonly phase: "idle";
          /** Seconds since 1970 before which no other reboot is requested. @default - none */
          readonly notBefore?: number;
      }
    | {
          readonly phase: "rebooting";
          /** The boot that the reboot should end. */
          readonly boot: string;
      }
    | {
          readonly phase: "failed";
          readonly boot: string;
          readonly reason: string;
          /** UID of the agent's pod that failed: another one may check again. */
          readonly pod: string;
      };

/** The journal on disk. */
export function rebootJournalFile(stateDirectory: string): StateFile<RebootJournal> {
    return new StateFile(stateDirectory, "reboot-journal.json", { phase: "idle" });
}
