import { readFileSync } from "node:fs";
import { z } from "zod";
import { invalidOption } from "../command-line/parse";

const moment = z.iso.datetime();

/** What a prober counts. */
export const tallies = z.object({
    /** From when to when requests were made. */
    from: moment,
    to: moment,
    /** By the kind of client. */
    clients: z.record(
        z.string(),
        z.object({
            requests: z.number().int().min(0),
            failures: z.array(z.object({ at: moment, what: z.string() })),
            /** Longest time between two answers. Unit: milliseconds. */
            longestGap: z.number().min(0),
        }),
    ),
});

/** What a prober saw of an API, as `test/cluster/prober` writes it. */
export type Requests = z.infer<typeof tallies>;

/** Reads what `--requests` names. Throws `--requests must be <legal>, got <value>`. */
export function readRequests(path: string): Requests {
    try {
        return tallies.parse(JSON.parse(readFileSync(path, "utf8")));
    } catch {
        throw invalidOption("--requests", "a file with a prober's tallies (docs/pictures.md)", path);
    }
}

/** Whether any was made while something happened, in milliseconds since 1970. */
export function isWithin({ from, to }: Requests, begin: number, end: number): boolean {
    return Date.parse(to) >= begin && Date.parse(from) <= end;
}
