import { z } from "zod";

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
