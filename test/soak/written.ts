import type { TestCluster } from "../cluster/cluster";
import { lostObjects } from "../cluster/count-objects";
import type { Count } from "../cluster/object-counter";

/** Objects whose creation was acknowledged, and that must never disappear. */
export class Written {
    readonly #names = new Set<string>();
    last?: Count;

    constructor(readonly cluster: TestCluster) {}

    add(count: Count): void {
        this.last = count;
        for (const name of count.acknowledged) this.#names.add(name);
    }

    /** Reads them all back; resolves to their number. @throws {Error} with the names of lost ones */
    async check(): Promise<number> {
        const lost = await lostObjects(this.cluster, this.#names);
        if (lost.length > 0) {
            throw new Error(`${lost.length} acknowledged objects are lost: ${lost.slice(0, 10).join(", ")}`);
        }
        if (this.#names.size === 0) throw new Error("no object creation was ever acknowledged");
        return this.#names.size;
    }

    /** Removes them, a hundred at a time. */
    async remove(): Promise<void> {
        const names = [...this.#names];
        for (let from = 0; from < names.length; from += 100) {
            const some = names.slice(from, from + 100);
            await this.cluster.kubectl("delete", "configmaps", "--ignore-not-found", "--wait=false", ...some);
        }
        this.#names.clear();
    }
}
