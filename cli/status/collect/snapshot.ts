import { z } from "zod";
import type { SnapshotFacts } from "../facts";

/** The ConfigMap of kube-system in which the etcd-keeper tells what it did: the one place that knows how it is written. */
export const SNAPSHOT_CONFIG_MAP = "etcd-status";

const failure = z.object({ message: z.string() }).optional();

const published = z.object({
    last: z.object({ name: z.string(), time: z.string(), node: z.string().optional() }).optional(),
    object: z.string().optional(),
    failure,
    copyFailure: failure,
    next: z.string().optional(),
});

/** @returns null if nothing was published; an error in what was is one in the facts */
export function snapshotFacts(data: Readonly<Record<string, string>> | undefined): SnapshotFacts | null {
    if (data?.snapshot === undefined) {
        return null;
    }
    const { last, object, failure, copyFailure, next } = published.parse(JSON.parse(data.snapshot));
    return {
        last: last && { at: last.time, name: last.name, node: last.node },
        copy: object,
        failure: failure?.message,
        copyFailure: copyFailure?.message,
        next,
    };
}
