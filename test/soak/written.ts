import type { TestCluster } from "../cluster/cluster";
import type { Count } from "../cluster/object-counter";

/** Objects whose creation was acknowledged, and that must be there for ever. */
export class Written {
    readonly #names = new Set<string>();
    last?: Count;

    constructor(readonly cluster: TestCluster) {}

    add(count: Count): void {
        this.last = count;
        for (const name of count.acknowledged) this.#names.add(name);
    }

    /** Reads them all back; resolves to how many. @throws {Error} naming those that are lost */
    async check(): Promise<number> {
        const answer = await this.cluster.kubectl("get", "configmaps", "--output", "name");
        const there = new Set(answer.split("\n").map((line) => line.replace("configmap/", "")));
        const lost = [...this.#names].filter((name) => !there.has(name));
        if (lost.length > 0) {
            throw new Error(`${lost.length} acknowledged objects are lost: ${lost.slice(0, 10).join(", ")}`);
        }
        if (this.#names.size === 0) throw new Error("no object was ever acknowledged");
        return this.#names.size;
    }
}
