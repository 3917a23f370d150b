import { readFileSync } from "node:fs";
import { z } from "zod";
import { writePrivate } from "../../private-file";

const seen = z.object({
    /** When the API answered: RFC 3339. */
    at: z.string(),
    controllers: z.array(z.object({ name: z.string(), address: z.string() })),
});

/** What the last good answer of the API told, for the day when it does not answer. */
export type Seen = z.infer<typeof seen>;

export function readSeen(path: string): Seen | undefined {
    try {
        return seen.parse(JSON.parse(readFileSync(path, "utf8")));
    } catch {
        // Not there, or not whole: it is a help, and nothing more.
        return undefined;
    }
}

/** Remembers an answer; where nothing can be written, status works all the same. */
export function writeSeen(path: string, what: Seen): void {
    try {
        writePrivate(path, `${JSON.stringify(what, null, 2)}\n`);
    } catch {
        return;
    }
}
