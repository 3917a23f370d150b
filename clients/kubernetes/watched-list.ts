import type { WatchEvent, Watcher } from "./api-client";
import type { ApiObject, List, With } from "./objects";

/** A watch ends after about this time, so that one whose connection died silently does too. Unit: seconds. */
const watchSeconds = 300;

/**
 * A list that a watch keeps current: reading it again costs no request while the watch is open. While it can't be
 * watched, each read lists it.
 *
 * It comes from the apiserver's cache and may be a moment old. What needs the current state lists it itself.
 */
export class WatchedList<T extends ApiObject> {
    #items?: Map<string, T>;

    /**
     * @param path - may have selectors
     * @param keep - the fields to keep of each object, because all stay in memory. @default - the whole object
     */
    constructor(
        private readonly api: Watcher,
        private readonly path: string,
        private readonly keep: (object: T) => T = (object) => object,
    ) {}

    async read(): Promise<readonly T[]> {
        return [...(this.#items ?? (await this.#list())).values()];
    }

    async #list(): Promise<ReadonlyMap<string, T>> {
        const { items, metadata } = await this.api.call<List<With<T, "uid">>>(this.#path("resourceVersion=0"));
        const found = new Map<string, T>((items ?? []).map((item) => [item.metadata.uid, this.keep(item)]));
        this.#items = found;
        const forget = () => {
            if (this.#items === found) this.#items = undefined;
        };
        this.#follow(found, metadata?.resourceVersion ?? "").then(forget, forget);
        return found;
    }

    #follow(found: Map<string, T>, resourceVersion: string): Promise<void> {
        // Not all at once, if an apiserver ended them all at once.
        const seconds = Math.round(watchSeconds * (1 + Math.random()));
        const path = this.#path(`watch=true&resourceVersion=${resourceVersion}&timeoutSeconds=${seconds}`);
        const note = ({ type, object }: WatchEvent<With<T, "uid">>) => {
            if (type === "ERROR") throw new Error("the watch expired");
            if (type === "DELETED") found.delete(object.metadata.uid);
            else if (type !== "BOOKMARK") found.set(object.metadata.uid, this.keep(object));
        };
        return this.api.watch(path, note, (seconds + 15) * 1000);
    }

    #path(query: string): string {
        return `${this.path}${this.path.includes("?") ? "&" : "?"}${query}`;
    }
}
