import { redact } from "../../agents/harness/redact";
import type { TarEntry } from "../../machines/tar";

/** Maximum bytes per file in a bundle; longer ones keep their end. */
const MOST = 8 * 2 ** 20;

/** Maximum characters of a text that are searched for secrets, to bound time and memory. */
const MOST_READ = 64 * 2 ** 20;

/** Collected files of a cluster. */
export class Gathered {
    readonly #files = new Map<string, string>();
    readonly #missed: string[] = [];

    /** Adds a text after redacting it. */
    add(path: string, text: string): void {
        // Before truncation: half a key is not recognized as one.
        const clean = redact(text.slice(-MOST_READ));
        const left = Math.max(0, text.length - MOST_READ) + Math.max(0, clean.length - MOST);
        const end = left > 0 ? `[the first ${left} characters are omitted]\n` : "";
        this.#files.set(path, end + clean.slice(-MOST));
    }

    /** Records what could not be collected, and why. */
    miss(what: string, why: string): void {
        this.#missed.push(`${what}: ${redact(why)}`);
    }

    get missed(): readonly string[] {
        return this.#missed;
    }

    /** All files below one folder, sorted by name. */
    entries(folder: string): TarEntry[] {
        const files = new Map(this.#files);
        if (this.#missed.length > 0) files.set("missing.txt", `${this.#missed.join("\n")}\n`);
        return [...files].sort().map(([path, contents]) => ({ path: `${folder}/${path}`, contents, mode: 0o600 }));
    }
}
