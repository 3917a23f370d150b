/** How many connections a source, and all together, may have at the same time. */
const most = { ofSource: 32, all: 512 } as const;

/**
 * Counts connections by the address that they come from, from their first packet on, so that a client which says nothing
 * takes no place of another. The machine's own, of which the kubelet's probes are, are always accepted.
 */
export class Sources {
    readonly #open = new Map<string, number>();
    #all = 0;

    constructor(private readonly own: string) {}

    /** @returns a function for the end of the connection; undefined if it must be closed at once */
    accept(source: string): (() => void) | undefined {
        if (source === this.own) return () => undefined;
        const open = this.#open.get(source) ?? 0;
        if (open >= most.ofSource || this.#all >= most.all) return undefined;
        this.#open.set(source, open + 1);
        this.#all++;
        return () => this.#end(source);
    }

    #end(source: string): void {
        const left = this.#open.get(source)! - 1;
        if (left === 0) this.#open.delete(source);
        else this.#open.set(source, left);
        this.#all--;
    }
}

/** An IPv4 address without the prefix that it has on a socket for both families; `""` of a connection that has ended. */
export function plainAddress(address = ""): string {
    return address.replace(/^::ffff:/, "");
}
