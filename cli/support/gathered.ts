import type { TarEntry } from "../../machines/tar";
import { blotOut } from "./blot-out";

/** A file's bytes in a bundle at most: of a longer one the end counts. */
const MOST = 8 * 2 ** 20;

/** Characters of a text that are looked through at most: what it takes in time and memory must have an end. */
export const MOST_READ = 64 * 2 ** 20;

/** What was found out of a cluster, file by file. */
export class Gathered {
    readonly #files = new Map<string, string>();
    readonly #missed: string[] = [];

    /** Takes a text without what nobody else must read. */
    add(path: string, text: string): void {
        // Before it is cut: what is left of half a key does not look like one.
        const clean = blotOut(text.slice(-MOST_READ));
        const left = Math.max(0, text.length - MOST_READ) + Math.max(0, clean.length - MOST);
        const end = left > 0 ? `[the first ${left} characters are left out]\n` : "";
        this.#files.set(path, end + clean.slice(-MOST));
    }

    /** Notes what could not be had, and why. */
    miss(what: string, why: string): void {
        this.#missed.push(`${what}: ${blotOut(why)}`);
    }

    get missed(): readonly string[] {
        return this.#missed;
    }

    /** All of it below one folder, in the order of the names. */
    entries(folder: string): TarEntry[] {
        const files = new Map(this.#files);
        if (this.#missed.length > 0) files.set("missing.txt", `${this.#missed.join("\n")}\n`);
        return [...files].sort().map(([path, contents]) => ({ path: `${folder}/${path}`, contents, mode: 0o600 }));
    }
}
