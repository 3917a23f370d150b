import { StateFile } from "../state-file";
import type { Runtime } from "./runtime";

/** Progress of a change of the container runtime, across all runs of the agent and all boots of the machine. */
export type ContainerRuntimeJournal =
    | { readonly phase: "idle" }
    | {
          readonly phase: "changing";
          readonly from: Runtime;
          readonly to: Runtime;
          /** How often the host was asked for it: a reboot before it is known to work reverts it. */
          readonly attempts: number;
      }
    | {
          readonly phase: "reverting";
          readonly from: Runtime;
          readonly to: Runtime;
          readonly reason: string;
          /** UID of the agent's pod that gave up. */
          readonly pod: string;
      }
    | {
          readonly phase: "failed";
          /** Its ID. */
          readonly to: string;
          readonly reason: string;
          /** UID of the agent's pod that failed: another one may retry. */
          readonly pod: string;
      };

/** The journal on disk. */
export function containerRuntimeJournalFile(stateDirectory: string): StateFile<ContainerRuntimeJournal> {
    return new StateFile(stateDirectory, "container-runtime-journal.json", { phase: "idle" });
}
