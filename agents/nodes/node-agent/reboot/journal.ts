import { StateFile } from "../state-file";

/** Where a reboot stands, over all runs of the agent and all boots of the machine. */
export type RebootJournal =
    | {
          readonly phase: "idle";
          /** Seconds since 1970 before which no other reboot is asked for. @default at once */
          readonly notBefore?: number;
      }
    | {
          readonly phase: "rebooting";
          /** The boot that was to end. */
          readonly boot: string;
      }
    | {
          readonly phase: "failed";
          readonly boot: string;
          readonly reason: string;
          /** UID of the agent's pod that failed: another one may look again. */
          readonly pod: string;
      };

/** The journal on disk. */
export function rebootJournalFile(stateDirectory: string): StateFile<RebootJournal> {
    return new StateFile(stateDirectory, "reboot-journal.json", { phase: "idle" });
}
