import type { TarEntry } from "../../machines/tar";
import { blotOut } from "./blot-out";

/** A file's bytes in a bundle at most: of a longer one the end counts. */
const MOST = 8 * 2 ** 20;

/** What was found out of a cluster, file by file. */
export class Gathered {
    readonly #files = new Map<string, string>();
    readonly #missed: string[] = [];

    /** Takes a text without what nobody else must read. */
    add(path: string, text: string): void {
        // First of all: half a private key would not be known as one.
        const clean = blotOut(text);
        const end = clean.length > MOST ? `[the first ${clean.length - MOST} characters are left out]\n` : "";
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
