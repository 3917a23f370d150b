import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { writePrivate } from "../command-line/private-file";
import { tallies } from "./requests";

const moment = z.iso.datetime();
const timing = z.object({ stage: z.string(), seconds: z.number(), at: moment });

const run = z.object({
    stages: z.array(timing).min(1),
    /** Seconds of a stage, by name. */
    parts: z.record(z.string(), z.array(timing)),
    operations: z.array(
        z.object({ name: z.string(), kind: z.string(), verb: z.string(), at: moment, seconds: z.number() }),
    ),
    nodes: z.array(z.object({ name: z.string(), joined: moment, ready: moment })),
    /** How the API of an existing cluster responded meanwhile. */
    requests: tallies.optional(),
    /** Steps of its nodes meanwhile. */
    steps: z
        .array(z.object({ name: z.string(), step: z.string(), at: moment, seconds: z.number() }))
        .readonly()
        .optional(),
});

/** A run of `npm start` or `npm run pulumi -- up` that changed something. */
export type Run = z.infer<typeof run>;

/** The recorded runs of a cluster: the last one, and the one that created it. */
export interface TimelineRecord {
    readonly last: Run;
    /** @default the last one created it */
    readonly boot?: Run;
}

/** The last run is at the top level, for compatibility with records of a single run. */
const file = run.extend({ boot: run.optional() });

/** @throws if it does not exist, or was written by a version without start times */
export function readRecord(path: string, cluster: string): TimelineRecord {
    if (!existsSync(path)) {
        throw new Error(`${cluster} has no record yet: npm start writes it after creating the cluster`);
    }
    const parsed = file.safeParse(JSON.parse(readFileSync(path, "utf8")));
    if (!parsed.success) {
        throw new Error(
            `the record of ${cluster} was written by an older version and has no start times; ` +
                "the next npm start or npm run pulumi -- up that changes something replaces it",
        );
    }
    const { boot, ...last } = parsed.data;
    return { last, ...(boot && { boot }) };
}

/** Records a run; the first one is kept too. */
export function writeRun(path: string, last: Run): void {
    const boot = firstRun(path);
    writePrivate(path, JSON.stringify({ ...last, ...(boot && { boot }) }, undefined, 2));
}

function firstRun(path: string): Run | undefined {
    try {
        const { boot, last } = readRecord(path, "");
        return boot ?? last;
    } catch {
        // Missing or truncated: the cluster does not depend on it.
        return undefined;
    }
}
