import * as v from "valibot";

const moment = v.pipe(v.string(), v.isoTimestamp());

/** Results of a prober. */
export const tallies = v.object({
    /** First and last time of probing. */
    from: moment,
    to: moment,
    /** By kind of client. */
    clients: v.record(
        v.string(),
        v.object({
            requests: v.pipe(v.number(), v.integer(), v.minValue(0)),
            failures: v.array(v.object({ at: moment, what: v.string() })),
            /** Longest time between two responses. Unit: milliseconds. */
            longestGap: v.pipe(v.number(), v.minValue(0)),
        }),
    ),
});

/** Requests to an API, as recorded by `test/cluster/prober`. */
export type Requests = v.InferOutput<typeof tallies>;
