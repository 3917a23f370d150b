import { targetOf } from "../change";
import type { Limits } from "../plan";
import { Attempts, Progress } from "../progress";
import { type Action, decide, type Journal, type Observed } from "./decide";
import type { Kubelets } from "./kubelets";

/** A change of a node's kubelet. */
export class KubeletChange extends Progress<Journal> {
    readonly #attempts = new Attempts();

    constructor(
        stateDirectory: string,
        private readonly kubelets: Kubelets,
        private readonly log: (line: string) => void,
    ) {
        super(stateDirectory, "journal.json");
    }

    decide(seen: Observed, limits: Limits) {
        const observed = { ...seen, ...this.#attempts.observed };
        return this.advance((journal, memory, now) => decide(journal, observed, memory, now, limits));
    }

    /** Failures are reported by the next reconcile. */
    async act(action: Exclude<Action, "uncordon">, { wanted }: Observed): Promise<void> {
        let problem: string | undefined;
        const target = targetOf(this.journal);
        if (action === "fetch") {
            if ("refusal" in wanted || this.#attempts.isPaused) return;
            problem = await this.#attempts.try(() => this.kubelets.fetch(wanted));
        } else if (target) {
            this.kubelets.switchTo(target);
            this.write({ ...this.journal, isSwitched: true } as Journal);
        }
        this.log(`${action}: ${problem ?? "done"}`);
    }
}
