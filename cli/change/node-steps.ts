import type { NodeView } from "./node-changes";

/** What a node was at for some time while its cluster changed. */
export interface NodeStep {
    readonly name: string;
    /** `drained`, `kubelet 1.36.3` or `not Ready`. */
    readonly step: string;
    /** When it was seen to begin: RFC 3339. */
    readonly at: string;
    readonly seconds: number;
}

interface Begun {
    readonly step: string;
    readonly since: number;
}

/** Makes steps of looks at a cluster's nodes: they are as exact as looks follow one another. */
export class NodeSteps {
    /** When each was Ready first. */
    readonly #kubelets = new Map<string, string>();
    readonly #begun = new Map<string, Begun>();
    readonly #ended: NodeStep[] = [];

    /** @param now - milliseconds since 1970 */
    look(nodes: readonly NodeView[], now: number): void {
        for (const node of nodes) {
            if (node.isReady && !this.#kubelets.has(node.name)) this.#kubelets.set(node.name, node.kubelet);
            const step = this.#stepOf(node);
            const begun = this.#begun.get(node.name);
            if (begun?.step === step) continue;
            this.#end(node.name, now);
            if (step !== undefined) this.#begun.set(node.name, { step, since: now });
        }
        for (const name of this.#begun.keys()) {
            if (!nodes.some((node) => node.name === name)) this.#end(name, now);
        }
    }

    /** All there were, as they ended. What goes on ends now. */
    until(now: number): NodeStep[] {
        for (const name of [...this.#begun.keys()]) this.#end(name, now);
        return this.#ended;
    }

    /** A node that has another kubelet stays cordoned until that one is well; one that was never Ready is joining. */
    #stepOf({ name, kubelet, isCordoned, isReady }: NodeView): string | undefined {
        const first = this.#kubelets.get(name);
        if (first === undefined) return undefined;
        const hasAnother = kubelet !== first;
        if (isCordoned) return hasAnother ? `kubelet ${kubelet}` : "drained";
        return isReady ? undefined : "not Ready";
    }

    #end(name: string, now: number): void {
        const begun = this.#begun.get(name);
        if (begun === undefined) return;
        const { step, since } = begun;
        this.#ended.push({ name, step, at: new Date(since).toISOString(), seconds: (now - since) / 1000 });
        this.#begun.delete(name);
    }
}
