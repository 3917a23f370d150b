import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../common/durable";
import type { Kubelet } from "./plan";

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
      }
    | {
          readonly phase: "failed";
          readonly to: Kubelet;
          readonly reason: string;
          /** UID of the agent's pod that failed: another one may try again. */
          readonly pod: string;
      };

/** The journal on disk. */
export class JournalFile {
    readonly #path: string;

    constructor(stateDirectory: string) {
        this.#path = join(stateDirectory, "journal.json");
    }

    read(): Journal {
        return existsSync(this.#path) ? JSON.parse(readFileSync(this.#path, "utf8")) : { phase: "idle" };
    }

    write(journal: Journal): void {
        writeDurably(this.#path, `${JSON.stringify(journal, null, 2)}\n`);
    }
}
