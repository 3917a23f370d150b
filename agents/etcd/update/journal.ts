import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../../harness/durable";
import type { EtcdStaticPod } from "./manifest";

/** Where an update stands, over all runs of the agent and all boots of the machine. */
export type Journal =
    | { readonly phase: "idle" }
    /** The manifest is another, or about to be. `previous` is the one with which the member served last. */
    | { readonly phase: "switched"; readonly id: string; readonly previous: EtcdStaticPod }
    | {
          readonly phase: "reverting";
          readonly id: string;
          readonly previous: EtcdStaticPod;
          readonly reason: string;
      }
    | { readonly phase: "reverted"; readonly id: string; readonly reason: string };

/** The journal on disk. */
export class JournalFile {
    readonly #path: string;

    constructor(stateDirectory: string) {
        mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
        this.#path = join(stateDirectory, "journal.json");
    }

    read(): Journal {
        return existsSync(this.#path) ? JSON.parse(readFileSync(this.#path, "utf8")) : { phase: "idle" };
    }

    write(journal: Journal): void {
        writeDurably(this.#path, `${JSON.stringify(journal, null, 2)}\n`);
    }
}
