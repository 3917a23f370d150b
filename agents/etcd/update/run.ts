import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { EtcdClient } from "../../../clients/etcd/client";
import { writeDurably } from "../../harness/durable";
import { jsonWith, readState } from "../../harness/state-file";
import type * as common from "../../harness/steps";
import type { Patience } from "../../harness/wait";
import { type Ending, killIfEnding } from "../member/ending";
import type { EtcdStaticPod } from "./manifest";
import type { EtcdUpdatePlan, StepName } from "./plan";

/** Context of every step. */
export interface Run extends Patience {
    readonly plan: EtcdUpdatePlan;
    readonly client: EtcdClient;
    readonly journal: JournalFile;
    readonly ending: Ending;
    readonly previous: EtcdStaticPod;
    readonly desired: EtcdStaticPod;
}

export type Step = common.Step<StepName, Run>;

/** Kills the member once it is being terminated. */
export function killIfMemberEnds({ plan, ending, report }: Run): Promise<void> {
    const { name, healthUrl, directories } = plan;
    return killIfEnding({ name, healthUrl, data: directories.data }, ending, report);
}

/** Progress of an update, across all runs of the agent and all boots of the machine. */
export type Journal =
    | { readonly phase: "idle" }
    /** The manifest has been or is about to be replaced. `previous` is the last one with which the member served. */
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
        return readState(this.#path, jsonWith<Journal>("phase")) ?? { phase: "idle" };
    }

    write(journal: Journal): void {
        writeDurably(this.#path, `${JSON.stringify(journal, null, 2)}\n`);
    }
}
