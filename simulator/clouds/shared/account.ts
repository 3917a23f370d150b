import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { underLock } from "../../../cache/file-lock";

type Of<Resource> = Readonly<Record<string, Resource>>;

/** Resources that stacks created, by kind and id. */
export type Resources<R> = { readonly [K in keyof R]: Of<R[K]> };

/** What an account records of its time. */
interface Time {
    /** All simulated waits, in seconds. @default 0 */
    readonly waited?: number;
    /** How far its clock is ahead of the host's, in seconds. @default 0 */
    readonly ahead?: number;
    /** When new resources appeared, in simulated milliseconds. @default they were there before */
    readonly appeared?: Readonly<Record<string, number>>;
}

/** The service has no resource of this id. */
export class NotFound extends Error {
    constructor(
        message: string,
        readonly id: string,
    ) {
        super(message);
    }
}

/**
 * A simulated account: a file, so that it outlives the plugin and tests can read it. The plugin and the cloud's
 * services write it, one at a time.
 *
 * `Owned` is what its owner has, `R` the contents of each kind of resource.
 */
export class AccountFile<Owned extends object, R extends { [K in keyof R]: { readonly name: string } }> {
    constructor(readonly path: string) {}

    get state(): Owned & { readonly resources: Resources<R> } {
        return JSON.parse(readFileSync(this.path, "utf8"));
    }

    get resources(): Resources<R> {
        return this.state.resources;
    }

    /** Every existing resource, as `<kind> <name>`, followed by its creator unless a stack created it. */
    get left(): string[] {
        return Object.entries<Record<string, { name: string; createdBy?: string }>>(this.resources).flatMap(
            ([kind, all]) =>
                Object.values(all).map(
                    ({ name, createdBy }) => `${kind} ${name}${createdBy ? `, made by ${createdBy}` : ""}`,
                ),
        );
    }

    /** Its time, in a file of its own: it changes often. */
    get #time(): Time {
        try {
            return JSON.parse(readFileSync(`${this.path}.time`, "utf8"));
        } catch {
            return {};
        }
    }

    /** Simulated waits, in seconds: what Pulumi's provider would wait is added up, not slept. */
    get waited(): number {
        return this.#time.waited ?? 0;
    }

    /** Time in the account, in milliseconds. */
    get now(): number {
        return Date.now() + (this.#time.ahead ?? 0) * 1000;
    }

    /** Lets simulated time pass. Unit: seconds. */
    wait(seconds: number): void {
        if (seconds <= 0) return;
        this.#changeTime(({ waited = 0, ahead = 0, ...time }) => {
            return { ...time, waited: waited + seconds, ahead: ahead + seconds };
        });
    }

    /** Lets simulated time pass for one resource alone: others are created at the same time. Unit: seconds. */
    waitFor(id: string, seconds: number): void {
        this.#changeTime(({ waited = 0, appeared = {}, ...time }) => {
            const since = (appeared[id] ?? this.now) - seconds * 1000;
            return { ...time, waited: waited + seconds, appeared: { ...appeared, [id]: since } };
        });
    }

    /** Records that something appeared just now, by its id. */
    appear(id: string): void {
        const { now } = this;
        this.#changeTime((time) => ({ ...time, appeared: { ...time.appeared, [id]: now } }));
    }

    /** Seconds since something appeared. @returns Infinity if it existed before */
    age(id: string): number {
        const { [id]: since } = this.#time.appeared ?? {};
        return since === undefined ? Number.POSITIVE_INFINITY : (this.now - since) / 1000;
    }

    #changeTime(make: (time: Time) => Time): void {
        underLock(`${this.path}.time.lock`, () => replaceFile(`${this.path}.time`, JSON.stringify(make(this.#time))));
    }

    /** Adds a resource under an id, or replaces the existing one. Nothing else runs in between. */
    put<K extends keyof R>(kind: K, id: string, resource: R[K]): void {
        this.changeAll(kind, (all) => ({ ...all, [id]: resource }));
    }

    /** Updates a resource, if it exists, with a function of its current value. */
    change<K extends keyof R>(kind: K, id: string, make: (now: R[K]) => R[K]): void {
        this.changeAll(kind, (all) => (all[id] ? { ...all, [id]: make(all[id]) } : all));
    }

    remove(kind: keyof R, id: string): void {
        this.changeAll(kind, (all) => Object.fromEntries(Object.entries(all).filter(([each]) => each !== id)));
    }

    private changeAll<K extends keyof R>(kind: K, make: (all: Of<R[K]>) => Of<R[K]>): void {
        underLock(`${this.path}.lock`, () => {
            const { state } = this;
            this.write({ ...state, resources: { ...state.resources, [kind]: make(state.resources[kind]) } });
        });
    }

    protected write(state: Owned & { readonly resources: Resources<R> }): void {
        mkdirSync(dirname(this.path), { recursive: true });
        replaceFile(this.path, `${JSON.stringify(state, undefined, 2)}\n`);
    }
}

function replaceFile(path: string, text: string): void {
    writeFileSync(`${path}.new`, text, { mode: 0o600 });
    renameSync(`${path}.new`, path);
}
