import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** What stacks made, by kind and id. */
export type Resources<R> = { readonly [K in keyof R]: Readonly<Record<string, R[K]>> };

/** The service knows no resource of this id. */
export class NotFound extends Error {
    constructor(
        message: string,
        readonly id: string,
    ) {
        super(message);
    }
}

/**
 * A simulated account: a file, so that it outlives the plugin and a test can look at it.
 *
 * `Owned` is what its owner brought, `R` what each kind of resource is.
 */
export class AccountFile<Owned extends object, R extends { [K in keyof R]: { readonly name: string } }> {
    constructor(private readonly path: string) {}

    get state(): Owned & { readonly resources: Resources<R> } {
        return JSON.parse(readFileSync(this.path, "utf8"));
    }

    get resources(): Resources<R> {
        return this.state.resources;
    }

    /** Everything that stacks made, as `<kind> <name>`. */
    get left(): string[] {
        return Object.entries<Record<string, { name: string }>>(this.resources).flatMap(([kind, all]) =>
            Object.values(all).map(({ name }) => `${kind} ${name}`),
        );
    }

    /** Adds a resource under an id, or replaces the one that is there. Nothing else runs in between. */
    put<K extends keyof R>(kind: K, id: string, resource: R[K]): void {
        const { state } = this;
        const { resources } = state;
        this.write({ ...state, resources: { ...resources, [kind]: { ...resources[kind], [id]: resource } } });
    }

    remove(kind: keyof R, id: string): void {
        const { state } = this;
        const { [id]: _, ...others } = state.resources[kind];
        this.write({ ...state, resources: { ...state.resources, [kind]: others } });
    }

    protected write(state: Owned & { readonly resources: Resources<R> }): void {
        mkdirSync(dirname(this.path), { recursive: true });
        writeFileSync(`${this.path}.new`, `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
        renameSync(`${this.path}.new`, this.path);
    }
}
