import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../../../harness/plan";
import { type S3Plan, s3Checks } from "../plan";

/** Plan of the verb `restore`: recreates a machine's etcd member from a snapshot. */
export interface RestorePlan {
    /**
     * ID of this restore. Another run with the same ID resumes a run that was killed, and does nothing once it has
     * finished. A new ID restores again.
     */
    readonly id: string;
    readonly source: RestoreSource;
    readonly member: {
        /** Name of this machine's Node and of its member. */
        readonly name: string;
        /** `https://10.0.0.11:2380` */
        readonly peerUrl: string;
        /** Health URL of the member, reachable only on its machine: `http://127.0.0.1:2381`. */
        readonly healthUrl: string;
    };
    /** `name=peerURL` of every member restored from this snapshot. Others join later, without data. */
    readonly initialCluster: string;
    /** Absolute paths, the same on the host and in the agent's container. */
    readonly directories: {
        /** The member's `--data-dir`. The old data is kept next to it as `<data>.before-<id>`. */
        readonly data: string;
        /** The kubelet's static pod directory. */
        readonly staticPods: string;
        /** Directory of the journal and of what is fetched. */
        readonly state: string;
    };
    /** The member's static pod afterwards. @default - the existing one */
    readonly staticPod?: object;
    /** Path of etcd's own program for restoring snapshots. */
    readonly etcdutl: string;
    /**
     * Added to the store's revision so that no existing watch goes back in time. Must exceed the number of writes since
     * the snapshot. @default 1_000_000_000
     */
    readonly bumpRevision?: number;
    /** Timeout of each step in seconds. @default - `defaultTimeouts` */
    readonly timeouts?: Partial<Record<StepName, number>>;
}

export type RestoreSource =
    /** Absolute path of a snapshot with etcd's checksum at its end. */
    | { readonly file: string }
    | {
          readonly s3: S3Plan;
          /** Cluster that took the snapshot: another one's, to make this cluster a copy of it. */
          readonly cluster: string;
          /** `c-20261121T053834.123Z`. @default - the newest */
          readonly name?: string;
      };

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

export function readRestorePlan(path: string): RestorePlan {
    return readPlanFile<RestorePlan>(path, restorePlanProblems);
}

/** Everything wrong with a plan, each problem with its path. */
export function restorePlanProblems(plan: RestorePlan): string[] {
    const { id, member, initialCluster, directories, etcdutl, bumpRevision = 1 } = plan;
    const own = `${member?.name}=${member?.peerUrl}`;
    return problemsOf([
        [isText(id) && /^[\w.-]+$/.test(id), "id", "a plain name", id],
        ...sourceChecks(plan.source),
        [isText(member?.name), "member.name", "a name", member?.name],
        [isUrl("https", member?.peerUrl), "member.peerUrl", "an https:// URL without a path", member?.peerUrl],
        [isUrl("http", member?.healthUrl), "member.healthUrl", "an http:// URL without a path", member?.healthUrl],
        [
            isText(initialCluster) && initialCluster.split(",").includes(own),
            "initialCluster",
            `a list with ${own}`,
            initialCluster,
        ],
        ...(["data", "staticPods", "state"] as const).map((key): Check => {
            const path = directories?.[key];
            return [isAbsolutePath(path), `directories.${key}`, "an absolute path", path];
        }),
        [isAbsolutePath(etcdutl), "etcdutl", "an absolute path", etcdutl],
        [Number.isSafeInteger(bumpRevision) && bumpRevision > 0, "bumpRevision", "a positive integer", bumpRevision],
    ]);
}

function sourceChecks(source: RestorePlan["source"] | undefined): Check[] {
    if (source !== undefined && "s3" in source) {
        return [
            [isText(source.cluster), "source.cluster", "a name", source.cluster],
            ...s3Checks(source.s3, "source.s3"),
        ];
    }
    return [[isAbsolutePath(source?.file), "source.file", "an absolute path", source?.file]];
}

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
