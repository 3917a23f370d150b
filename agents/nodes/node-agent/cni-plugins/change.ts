import { targetOf } from "../change";
import type { CniPluginsSeen } from "../observe";
import { Attempts, Progress } from "../progress";
import { type CniPluginsAction, type CniPluginsJournal, decideCniPlugins } from "./decide";
import type { CniPlugins, SwapOutcome } from "./plugins";

/** A change of a node's CNI plugins and the results of its steps. */
export class CniPluginsChange extends Progress<CniPluginsJournal> {
    #swapped?: SwapOutcome & { readonly phase: string };
    readonly #attempts = new Attempts();

    constructor(
        stateDirectory: string,
        private readonly plugins: CniPlugins,
        private readonly log: (line: string) => void,
    ) {
        super(stateDirectory, "cni-plugins-journal.json");
    }

    decide(seen: CniPluginsSeen, isKubeletChanging: boolean) {
        const swapped = this.#swapped?.phase === this.journal.phase ? this.#swapped : undefined;
        const observed = { ...seen, ...this.#attempts.observed, isKubeletChanging, ...(swapped && { swapped }) };
        const decision = this.advance((journal) => decideCniPlugins(journal, observed));
        // Nothing is known about the next change yet.
        if (!this.isBegun) this.#swapped = undefined;
        return decision;
    }

    /** Failures are reported by the next reconcile. */
    async act(action: CniPluginsAction, { wanted }: CniPluginsSeen): Promise<void> {
        if (this.#attempts.isPaused) return;
        const fault = action === "fetch plugins" ? await this.#fetch(wanted) : await this.#swap();
        this.log(`${action}: ${fault ?? "done"}`);
    }

    /** With those for a revert. */
    #fetch(wanted: CniPluginsSeen["wanted"]): Promise<string | undefined> {
        return this.#attempts.try(async () => {
            for (const source of [this.plugins.installed(), wanted]) {
                if (source && !("refusal" in source) && !(await this.plugins.isHere(source)))
                    await this.plugins.fetch(source);
            }
        });
    }

    async #swap(): Promise<string | undefined> {
        const target = targetOf(this.journal);
        if (target === undefined) return undefined;
        const { phase } = this.journal;
        this.#swapped = { ...(await this.plugins.swap(target, phase === "changing")), phase };
        // A revert starts at once.
        if (!this.#swapped.isIn && phase === "reverting") this.#attempts.pause();
        return this.#swapped.fault;
    }
}
