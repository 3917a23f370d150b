import type { Source } from "../plan";
import { StateFile } from "../state-file";

/** Progress of a change of the CNI plugins, across all runs of the agent and all boots of the machine. */
export type CniPluginsJournal =
    | { readonly phase: "idle" }
    | { readonly phase: "changing"; readonly from: Source; readonly to: Source }
    | {
          readonly phase: "reverting";
          readonly from: Source;
          readonly to: Source;
          readonly reason: string;
          /** UID of the agent's pod that gave up. */
          readonly pod: string;
      }
    | {
          readonly phase: "failed";
          readonly to: Source;
          readonly reason: string;
          /** UID of the agent's pod that failed: another one may retry. */
          readonly pod: string;
      };

/** The journal on disk. */
export function cniPluginsJournalFile(stateDirectory: string): StateFile<CniPluginsJournal> {
    return new StateFile(stateDirectory, "cni-plugins-journal.json", { phase: "idle" });
}
