import { readFileSync } from "node:fs";
import { z } from "zod";
import { invalidOption } from "../command-line/parse";

const moment = z.iso.datetime();

/** Results of a prober. */
export const tallies = z.object({
    /** First and last time of probing. */
    from: moment,
    to: moment,
    /** By kind of client. */
    clients: z.record(
        z.string(),
        z.object({
            requests: z.number().int().min(0),
            failures: z.array(z.object({ at: moment, what: z.string() })),
            /** Longest time between two responses. Unit: milliseconds. */
            longestGap: z.number().min(0),
        }),
    ),
});

/** Requests to an API, as recorded by `test/cluster/prober`. */
export type Requests = z.infer<typeof tallies>;

/** Reads the file given by `--requests`. Throws `--requests must be <legal>, got <value>`. */
export function readRequests(path: string): Requests {
    try {
        return tallies.parse(JSON.parse(readFileSync(path, "utf8")));
    } catch {
        throw invalidOption("--requests", "a file with a prober's results (docs/pictures.md)", path);
    }
}

/** Whether the probing overlaps this time, in milliseconds since 1970. */
export function isWithin({ from, to }: Requests, begin: number, end: number): boolean {
    return Date.parse(to) >= begin && Date.parse(from) <= end;
}
