import type { ApiView } from "../api";
import type { Memory } from "../memory";
import type { RebootSeen } from "../observe";
import type { Limits, NodeAgentPlan } from "../plan";
import type { StateFile } from "../state-file";
import { decideReboot, type RebootAction, type RebootDecision } from "./decide";
import type { Host } from "./host";
import { type RebootJournal, rebootJournalFile } from "./journal";
import { yieldLead } from "./yield-lead";

/** A node's reboot: its progress and requests. */
export class Reboot {
    readonly #file: StateFile<RebootJournal>;
    #journal: RebootJournal;
    #memory?: Memory;

    constructor(
        stateDirectory: string,
        private readonly observer: {
            readonly plan: Pick<NodeAgentPlan, "etcd">;
            readonly api: Pick<ApiView, "ask" | "nodeName">;
            readonly host: Host;
        },
        private readonly log: (line: string) => void,
    ) {
        this.#file = rebootJournalFile(stateDirectory);
        this.#journal = this.#file.read();
    }

    /** Why it failed, if it did. */
    failure(): string | undefined {
        return this.#journal.phase === "failed" ? this.#journal.reason : undefined;
    }

    /**
     * Decides the next actions and writes the journal. @param isChanging - whether the kubelet is not the desired one
     */
    decide(seen: RebootSeen, isChanging: boolean, limits: Limits): RebootDecision {
        const observed = { ...seen, isKubeletAsWanted: !isChanging };
        const decision = decideReboot(this.#journal, observed, this.#memory, performance.now() / 1000, limits);
        this.#memory = decision.memory;
        if (JSON.stringify(decision.journal) !== JSON.stringify(this.#journal)) {
            this.#file.write(decision.journal);
            this.#journal = decision.journal;
        }
        return decision;
    }

    /** Does everything that does not involve the kubelet. */
    async act(action: Exclude<RebootAction, "cordon" | "evict">): Promise<void> {
        const { plan, api, host } = this.observer;
        switch (action) {
            case "ask":
            case "withdraw":
                await api.ask(action === "ask" ? host.boot() : undefined);
                break;
            case "yield":
                if (plan.etcd) this.log(await yieldLead(plan.etcd, api.nodeName));
                break;
            case "reboot":
                if (this.#journal.phase === "rebooting") host.reboot(this.#journal.boot);
                break;
            case "recall":
                host.recall();
        }
    }
}
