/** Lets one machine of a cluster after another be away. One that fails keeps the others where they are. */
export class Turns {
    #last: Promise<void> = Promise.resolve();
    #failure: string | undefined;
    readonly #ends = new Map<string, () => void>();

    /** Resolves when it is this machine's turn. @throws when another one did not come back */
    async take(machine: string): Promise<void> {
        const before = this.#last;
        this.#last = new Promise((resolve) => this.#ends.set(machine, resolve));
        await before;
        if (this.#failure !== undefined) {
            this.#end(machine);
            throw new Error(`${machine} stays as it is: ${this.#failure}`);
        }
    }

    /** The machine is back. */
    give(machine: string): void {
        this.#end(machine);
    }

    /** The machine is not, and nobody else goes. */
    fail(machine: string, why: string): void {
        this.#failure ??= why;
        this.#end(machine);
    }

    #end(machine: string): void {
        this.#ends.get(machine)?.();
        this.#ends.delete(machine);
    }
}
