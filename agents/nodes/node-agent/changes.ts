import { targetOf } from "./change";
import { type CniPluginsAction, type CniPluginsJournal, decideCniPlugins } from "./cni-plugins/decide";
import type { CniPlugins, SwapOutcome } from "./cni-plugins/plugins";
import {
    type ContainerRuntimeAction,
    type ContainerRuntimeJournal,
    decideContainerRuntime,
} from "./container-runtime/decide";
import type { ContainerRuntimeOnNode } from "./container-runtime/observe";
import type { ContainerRuntimes } from "./container-runtime/runtimes";
import { decide, type Action as KubeletAction, type Journal as KubeletJournal, type Observed } from "./kubelet/decide";
import type { Kubelets } from "./kubelet/kubelets";
import type { CniPluginsOnNode } from "./observe";
import type { Limits } from "./plan";
import { Attempts, Progress } from "./progress";

/** A change of a node's kubelet. */
export class KubeletChange extends Progress<KubeletJournal, Kubelets> {
    readonly #attempts = new Attempts();

    decide(observation: Observed, limits: Limits) {
        const observed = { ...observation, ...this.#attempts.observed };
        return this.advance((journal, memory, now) => decide(journal, observed, memory, now, limits));
    }

    async act(action: Exclude<KubeletAction, "uncordon">, { desired }: Observed): Promise<void> {
        let problem: string | undefined;
        const target = targetOf(this.journal);
        if (action === "fetch") {
            if ("refusal" in desired || this.#attempts.isPaused) return;
            problem = await this.#attempts.try(() => this.tool.fetch(desired));
        } else if (target) {
            this.tool.switchTo(target);
            this.write({ ...this.journal, isSwitched: true } as KubeletJournal);
        }
        this.log(`${action}: ${problem ?? "done"}`);
    }
}

/** A change of a node's CNI plugins and the results of its steps. */
export class CniPluginsChange extends Progress<CniPluginsJournal, CniPlugins> {
    #swapped?: SwapOutcome & { readonly phase: string };
    readonly #attempts = new Attempts();

    decide(observation: CniPluginsOnNode, isKubeletChanging: boolean) {
        const swapped = this.#swapped?.phase === this.journal.phase ? this.#swapped : undefined;
        const observed = { ...observation, ...this.#attempts.observed, isKubeletChanging, ...(swapped && { swapped }) };
        const decision = this.advance((journal) => decideCniPlugins(journal, observed));
        // Nothing is known about the next change yet.
        if (!this.isBegun) this.#swapped = undefined;
        return decision;
    }

    async act(action: CniPluginsAction, { desired }: CniPluginsOnNode): Promise<void> {
        if (this.#attempts.isPaused) return;
        const fault = action === "fetch plugins" ? await this.#fetch(desired) : await this.#swap();
        this.log(`${action}: ${fault ?? "done"}`);
    }

    /** With those for a revert. */
    #fetch(desired: CniPluginsOnNode["desired"]): Promise<string | undefined> {
        return this.#attempts.try(async () => {
            for (const source of [this.tool.installed(), desired]) {
                if (source && !("refusal" in source) && !(await this.tool.isHere(source)))
                    await this.tool.fetch(source);
            }
        });
    }

    async #swap(): Promise<string | undefined> {
        const target = targetOf(this.journal);
        if (target === undefined) return undefined;
        const { phase } = this.journal;
        this.#swapped = { ...(await this.tool.swap(target, phase === "changing")), phase };
        // A revert starts at once.
        if (!this.#swapped.isIn && phase === "reverting") this.#attempts.pause();
        return this.#swapped.fault;
    }
}

/** A change of a node's container runtime. */
export class ContainerRuntimeChange extends Progress<ContainerRuntimeJournal, ContainerRuntimes> {
    readonly #attempts = new Attempts();

    decide(observation: ContainerRuntimeOnNode, isOtherChanging: boolean, limits: Limits) {
        const observed = { ...observation, ...this.#attempts.observed, isOtherChanging };
        const before = this.journal;
        const decision = this.advance((journal, memory, now) => {
            const decision = decideContainerRuntime(journal, observed, memory, now, limits);
            // Nothing is known about a change that begins.
            if (!this.isBegun && decision.journal.phase !== "idle") this.tool.forget();
            return decision;
        });
        if (before.phase === "changing" && !this.isBegun) this.tool.clear([before.from.id, before.to.id]);
        return decision;
    }

    async act(action: ContainerRuntimeAction, { desired }: ContainerRuntimeOnNode): Promise<void> {
        let problem: string | undefined;
        const target = targetOf(this.journal);
        if (action === "fetch runtime") {
            if ("refusal" in desired || this.#attempts.isPaused) return;
            problem = await this.#attempts.try(() => this.tool.fetch(desired));
        } else if (action === "keep runtime") {
            this.tool.keep();
        } else if (target) {
            this.tool.request(target.id);
        }
        this.log(`${action}: ${problem ?? "done"}`);
    }
}
