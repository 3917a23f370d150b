import { existsSync, readFileSync } from "node:fs";
import * as v from "valibot";
import { writePrivate } from "../command-line/private-file";
import { tallies } from "./requests";

const moment = v.pipe(v.string(), v.isoTimestamp());
const timing = v.object({ stage: v.string(), seconds: v.number(), at: moment });

const run = v.object({
    stages: v.pipe(v.array(timing), v.minLength(1)),
    /** Seconds of a stage, by name. */
    parts: v.record(v.string(), v.array(timing)),
    operations: v.array(
        v.object({ name: v.string(), kind: v.string(), verb: v.string(), at: moment, seconds: v.number() }),
    ),
    nodes: v.array(v.object({ name: v.string(), joined: moment, ready: moment })),
    /** How the API of an existing cluster responded meanwhile. */
    requests: v.optional(tallies),
    /** Steps of its nodes meanwhile. */
    steps: v.optional(
        v.pipe(
            v.array(v.object({ name: v.string(), step: v.string(), at: moment, seconds: v.number() })),
            v.readonly(),
        ),
    ),
});

/** A run of `npm start` or `npm run pulumi -- up` that changed something. */
export type Run = v.InferOutput<typeof run>;

/** The recorded runs of a cluster: the last one, and the one that created it. */
export interface TimelineRecord {
    readonly last: Run;
    /** @default the last one created it */
    readonly boot?: Run;
}

const file = v.object({ last: run, boot: v.exactOptional(run) });

/** @throws if it does not exist or is damaged */
export function readRecord(path: string, cluster: string): TimelineRecord {
    if (!existsSync(path)) {
        throw new Error(`${cluster} has no record yet: npm start writes it after creating the cluster`);
    }
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), file), readFileSync(path, "utf8"));
    if (parsed.success) return parsed.output;
    throw new Error(
        `the record of ${cluster} is damaged; ` +
            "the next npm start or npm run pulumi -- up that changes something replaces it",
    );
}

/** Records a run; the first one is kept too. */
export function writeRun(path: string, last: Run): void {
    const boot = firstRun(path);
    writePrivate(path, JSON.stringify({ last, ...(boot && { boot }) }, undefined, 2));
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
