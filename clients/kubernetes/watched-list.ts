import { setTimeout as sleep } from "node:timers/promises";
import type { WatchEvent, Watcher } from "./api-client";
import type { ApiObject, List, With } from "./objects";

/** The longest watch. Unit: seconds. */
const longestSeconds = 300;

/**
 * A watch ends after a time between these shares of the longest one, and the next one continues it. The times differ so
 * that the watches of all nodes do not end at once.
 */
const shares = { least: 0.8, most: 0.93 } as const;

/** How long a read waits for the next watch to open. Unit: milliseconds. */
const openingMilliseconds = 5_000;

/** A server that ends a watch sooner would be called in a loop: it is listed again, with the next read. */
const shortestMilliseconds = 1_000;

/**
 * A list that watches keep current, one after another: reading it again costs no request. While it can't be watched,
 * each read lists it.
 *
 * It comes from the apiserver's cache and may be a moment old. What needs the current state lists it itself.
 */
export class WatchedList<T extends ApiObject> {
    #items?: Map<string, T>;

    /** Settled while a watch is open, or none is. */
    #opening: Promise<void> = Promise.resolve();

    /**
     * @param path - may have selectors
     * @param keep - the fields to keep of each object, because all stay in memory. @default - the whole object
     * @param idleSeconds - after which a load balancer closes a connection without traffic: watches are shorter. Their
     * ends are traffic; TCP keep-alives are not, because a load balancer answers them itself. @default - never
     */
    constructor(
        private readonly api: Watcher,
        private readonly path: string,
        private readonly keep: (object: T) => T = (object) => object,
        private readonly idleSeconds = longestSeconds,
    ) {}

    async read(): Promise<readonly T[]> {
        // Between two watches the items may be out of date.
        await this.#opening;
        return [...(this.#items ?? (await this.#list())).values()];
    }

    async #list(): Promise<ReadonlyMap<string, T>> {
        const { items, metadata } = await this.api.call<List<With<T, "uid">>>(this.#path("resourceVersion=0"));
        const found = new Map<string, T>((items ?? []).map((item) => [item.metadata.uid, this.keep(item)]));
        this.#items = found;
        void this.#follow(found, metadata?.resourceVersion ?? "");
        return found;
    }

    /** Watches until a watch fails, or the list has been replaced. */
    async #follow(found: Map<string, T>, resourceVersion: string): Promise<void> {
        try {
            for (let version = resourceVersion; this.#items === found; ) {
                const began = Date.now();
                version = await this.#watch(found, version);
                if (Date.now() - began < shortestMilliseconds) this.#forget(found);
            }
        } catch {
            this.#forget(found);
        }
    }

    /** @returns the version at which the watch ended, from which the next one continues */
    async #watch(found: Map<string, T>, resourceVersion: string): Promise<string> {
        const share = shares.least + (shares.most - shares.least) * Math.random();
        const seconds = Math.round(share * Math.min(this.idleSeconds, longestSeconds));
        // Bookmarks report the version although nothing in the list has changed: before a watch ends, there is one.
        const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${resourceVersion}&timeoutSeconds=${seconds}`;
        let version = resourceVersion;
        const note = ({ type, object }: WatchEvent<With<T, "uid">>) => {
            if (type === "ERROR") throw new Error("the watch expired");
            version = object.metadata.resourceVersion ?? version;
            if (type === "DELETED") found.delete(object.metadata.uid);
            else if (type !== "BOOKMARK") found.set(object.metadata.uid, this.keep(object));
        };
        const forget = () => this.#forget(found);
        let open = () => {};
        const opened = new Promise<void>((resolve) => {
            open = resolve;
        });
        // Longer than the watch, for one whose connection died silently.
        const watching = this.api.watch(this.#path(query), note, (seconds + 15) * 1000, open);
        const late = sleep(openingMilliseconds, "late", { ref: false });
        this.#opening = Promise.race([opened, watching.catch(forget), late]).then((first) => {
            if (first === "late") forget();
        });
        await watching;
        return version;
    }

    #forget(found: Map<string, T>): void {
        if (this.#items === found) this.#items = undefined;
    }

    #path(query: string): string {
        return `${this.path}${this.path.includes("?") ? "&" : "?"}${query}`;
    }
}
