import { describeError } from "../../../../clients/kubernetes/api-error";
import type { CniPluginsSeen } from "../observe";
import type { StateFile } from "../state-file";
import {
    type CniPluginsAction,
    type CniPluginsDecision,
    type CniPluginsObservation,
    decideCniPlugins,
    swapTarget,
} from "./decide";
import { type CniPluginsJournal, cniPluginsJournalFile } from "./journal";
import type { CniPlugins, SwapOutcome } from "./plugins";

/** Milliseconds before a failed step is retried. */
const againMilliseconds = 15_000;

/** A change of a node's CNI plugins: its progress and the results of its steps. */
export class CniPluginsChange {
    readonly #file: StateFile<CniPluginsJournal>;
    #journal: CniPluginsJournal;
    #swapped?: SwapOutcome & { readonly phase: string };
    #fetchProblem?: string;
    #failedAt = Number.NEGATIVE_INFINITY;

    constructor(
        stateDirectory: string,
        private readonly plugins: CniPlugins,
        private readonly log: (line: string) => void,
    ) {
        this.#file = cniPluginsJournalFile(stateDirectory);
        this.#journal = this.#file.read();
    }

    /** Why it failed, if it did. */
    failure(): string | undefined {
        return this.#journal.phase === "failed" ? this.#journal.reason : undefined;
    }

    /** Whether it is in progress or has failed. */
    get isBegun(): boolean {
        return this.#journal.phase !== "idle";
    }

    /** Decides the next actions and writes the journal. */
    decide(seen: CniPluginsSeen, isKubeletChanging: boolean): CniPluginsDecision {
        const swapped = this.#swapped?.phase === this.#journal.phase ? this.#swapped : undefined;
        const observed: CniPluginsObservation = {
            ...seen,
            isKubeletChanging,
            ...(this.#fetchProblem !== undefined && { fetchProblem: this.#fetchProblem }),
            ...(swapped && { swapped }),
        };
        const decision = decideCniPlugins(this.#journal, observed);
        if (JSON.stringify(decision.journal) !== JSON.stringify(this.#journal)) {
            this.#file.write(decision.journal);
            this.#journal = decision.journal;
        }
        // Nothing is known about the next change yet.
        if (!this.isBegun) this.#swapped = undefined;
        return decision;
    }

    /** Failures are reported by the next reconcile. */
    async act(action: Exclude<CniPluginsAction, "cordon">, { wanted }: CniPluginsSeen): Promise<void> {
        if (performance.now() - this.#failedAt < againMilliseconds) return;
        const fault = action === "fetch plugins" ? await this.#fetch(wanted) : await this.#swap();
        this.log(fault === undefined ? `${action}: done` : `${action}: ${fault}`);
    }

    async #fetch(wanted: CniPluginsSeen["wanted"]): Promise<string | undefined> {
        try {
            for (const source of [this.plugins.installed(), wanted]) {
                if (source && !("refusal" in source) && !(await this.plugins.isHere(source)))
                    await this.plugins.fetch(source);
            }
            this.#fetchProblem = undefined;
        } catch (error) {
            this.#fetchProblem = describeError(error);
            this.#failedAt = performance.now();
        }
        return this.#fetchProblem;
    }

    async #swap(): Promise<string | undefined> {
        const target = swapTarget(this.#journal);
        if (target === undefined) return undefined;
        const { phase } = this.#journal;
        const outcome = await this.plugins.swap(target, phase === "changing");
        this.#swapped = { ...outcome, phase };
        // A revert starts at once.
        if (!outcome.isIn && phase === "reverting") this.#failedAt = performance.now();
        return outcome.fault;
    }
}
