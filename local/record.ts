import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { writePrivate } from "../command-line/private-file";
import { tallies } from "./requests";

const moment = z.iso.datetime();
const timing = z.object({ stage: z.string(), seconds: z.number(), at: moment });

const run = z.object({
    stages: z.array(timing).min(1),
    /** Of a stage, by its name. */
    parts: z.record(z.string(), z.array(timing)),
    operations: z.array(
        z.object({ name: z.string(), kind: z.string(), verb: z.string(), at: moment, seconds: z.number() }),
    ),
    nodes: z.array(z.object({ name: z.string(), joined: moment, ready: moment })),
    /** How the API of a cluster that was there answered meanwhile. */
    requests: tallies.optional(),
    /** What nodes of such a cluster were at meanwhile. */
    steps: z
        .array(z.object({ name: z.string(), step: z.string(), at: moment, seconds: z.number() }))
        .readonly()
        .optional(),
});

/** A run of `npm start`, or of `pulumi up` by `npm run pulumi`, that made or changed something. */
export type Run = z.infer<typeof run>;

/** What is kept of a cluster's runs: the last one, and the one that made the cluster. */
export interface TimelineRecord {
    readonly last: Run;
    /** @default it was the last one */
    readonly boot?: Run;
}

/** The last run's parts are on top, as they were before there were two. */
const file = run.extend({ boot: run.optional() });

/** @throws if it is not there, or is of a version that did not write down when things began */
export function readRecord(path: string, cluster: string): TimelineRecord {
    if (!existsSync(path)) {
        throw new Error(`${cluster} has no timeline yet: npm start writes one when it has made the cluster`);
    }
    const parsed = file.safeParse(JSON.parse(readFileSync(path, "utf8")));
    if (!parsed.success) {
        throw new Error(
            `the timeline of ${cluster} must tell when each thing began: an older version wrote it; ` +
                "the next npm start or npm run pulumi -- up that changes something writes it anew",
        );
    }
    const { boot, ...last } = parsed.data;
    return { last, ...(boot && { boot }) };
}

/** Writes down a run; the first one stays beside it. */
export function writeRun(path: string, last: Run): void {
    const boot = firstRun(path);
    writePrivate(path, JSON.stringify({ ...last, ...(boot && { boot }) }, undefined, 2));
}

function firstRun(path: string): Run | undefined {
    try {
        const parsed = file.safeParse(JSON.parse(readFileSync(path, "utf8")));
        if (!parsed.success) return undefined;
        const { boot, ...last } = parsed.data;
        return boot ?? last;
    } catch {
        // There was none before, or it is not whole: nothing that a cluster needs.
        return undefined;
    }
}
