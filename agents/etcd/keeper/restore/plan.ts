import * as v from "valibot";
import { absolutePath, object, positiveInteger, text, timeouts, url } from "../../../harness/plan";
import { s3Plan } from "../plan";

const fileSource = object({
    /** Absolute path of a snapshot with etcd's checksum at its end. */
    file: absolutePath,
});

/** A snapshot in a store. */
export const s3Source = object({
    /** Cluster that took the snapshot: another one's, to make this cluster a copy of it. */
    cluster: text(),
    s3: s3Plan,
    /** `c-20261121T053834.123Z`. @default - the newest */
    name: v.optional(text()),
});

export type StoreSource = v.InferOutput<typeof s3Source>;

export type RestoreSource = v.InferOutput<typeof fileSource> | StoreSource;

export const restorePlanSchema = v.pipe(
    object({
        /**
         * ID of this restore. Another run with the same ID resumes a run that was killed, and does nothing once it has
         * finished. A new ID restores again.
         */
        id: text("a plain name", /^[\w.-]+$/),
        source: v.lazy(
            (source): v.GenericSchema<unknown, RestoreSource> =>
                typeof source === "object" && source !== null && "s3" in source ? s3Source : fileSource,
        ),
        member: object({
            /** Name of this machine's Node and of its member. */
            name: text(),
            /** `https://10.0.0.11:2380` */
            peerUrl: url("https"),
            /** Health URL of the member, reachable only on its machine: `http://127.0.0.1:2381`. */
            healthUrl: url("http"),
        }),
        /** `name=peerURL` of every member restored from this snapshot. Others join later, without data. */
        initialCluster: text("a list of <name>=<peer URL>"),
        /** Absolute paths, the same on the host and in the agent's container. */
        directories: object({
            /** The member's `--data-dir`. The old data is kept next to it as `<data>.before-<id>`. */
            data: absolutePath,
            /** The kubelet's static pod directory. */
            staticPods: absolutePath,
            /** Directory of the journal and of what is fetched. */
            state: absolutePath,
        }),
        /** The member's static pod afterwards. @default - the existing one */
        staticPod: v.optional(v.custom<object>((pod) => typeof pod === "object", "a pod")),
        /** Path of etcd's own program for restoring snapshots. */
        etcdutl: absolutePath,
        /**
         * Added to the store's revision so that no existing watch goes back in time. Must exceed the number of writes
         * since the snapshot. @default 1_000_000_000
         */
        bumpRevision: v.optional(positiveInteger),
        /** Timeout of each step in seconds. @default - `defaultTimeouts` */
        timeouts: timeouts<StepName>(),
    }),
    v.forward(
        v.partialCheck(
            [["member"], ["initialCluster"]],
            (plan) => plan.initialCluster.split(",").includes(own(plan)),
            ({ input }) => `a list with ${own(input)}`,
        ),
        ["initialCluster"],
    ),
);

/** Plan of the verb `restore`: recreates a machine's etcd member from a snapshot. */
export type RestorePlan = v.InferOutput<typeof restorePlanSchema>;

function own({ member }: { member: { name: string; peerUrl: string } }): string {
    return `${member.name}=${member.peerUrl}`;
}

/** The value that etcd's documentation suggests: years of writes. */
export const defaultBumpRevision = 1_000_000_000;

export const defaultTimeouts: Record<StepName, number> = {
    "fetch-snapshot": 3600,
    "stop-member": 180,
    "restore-data": 3600,
    "swap-data": 60,
    "start-member": 60,
    "wait-until-serving": 600,
};

/** The steps of a restore, in order, as named in the log. */
export const stepNames = [
    "fetch-snapshot",
    "stop-member",
    "restore-data",
    "swap-data",
    "start-member",
    "wait-until-serving",
] as const;

export type StepName = (typeof stepNames)[number];
