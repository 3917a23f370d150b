import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../../harness/durable";

/** A journal on the disk, intact after a power failure at any time. */
export class StateFile<T> {
    readonly #path: string;

    /** @param first - its content before it is written */
    constructor(
        directory: string,
        name: string,
        private readonly first: T,
    ) {
        this.#path = join(directory, name);
    }

    read(): T {
        return existsSync(this.#path) ? JSON.parse(readFileSync(this.#path, "utf8")) : this.first;
    }

    write(journal: T): void {
        writeDurably(this.#path, `${JSON.stringify(journal, null, 2)}\n`);
    }
}
