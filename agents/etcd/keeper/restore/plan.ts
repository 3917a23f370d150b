import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../../../harness/plan";
import { type S3Plan, s3Checks } from "../plan";

/** How a machine's etcd member is made anew from a snapshot: the plan of the verb `restore`. */
export interface RestorePlan {
    /**
     * Names this restore. A run of the same goes on where one that was killed stopped, and does nothing more when that had
     * ended; another id restores again.
     */
    readonly id: string;
    readonly source: RestoreSource;
    readonly member: {
        /** Of this machine's Node and of its member. */
        readonly name: string;
        /** `https://10.0.0.11:2380` */
        readonly peerUrl: string;
        /** Where the member tells of its health, to this machine alone: `http://127.0.0.1:2381`. */
        readonly healthUrl: string;
    };
    /** `name=peerURL` of every member that is restored from this snapshot. Others join later, with no data. */
    readonly initialCluster: string;
    /** Absolute paths, the same on the host and in the agent's container. */
    readonly directories: {
        /** The member's `--data-dir`; what it was lies beside it afterwards, as `<data>.before-<id>`. */
        readonly data: string;
        /** The kubelet's static pod directory. */
        readonly staticPods: string;
        /** Journal, and what is fetched. */
        readonly state: string;
    };
    /** The member's static pod afterwards. @default - the one that is there now */
    readonly staticPod?: object;
    /** The program of etcd's own release that restores snapshots. */
    readonly etcdutl: string;
    /**
     * By how much the store's revision rises, so that no watch of before sees time go back: more than there can have
     * been writes since the snapshot. @default 1_000_000_000
     */
    readonly bumpRevision?: number;
    /** Seconds that a step may take. @default - `defaultTimeouts` */
    readonly timeouts?: Partial<Record<StepName, number>>;
}

export type RestoreSource =
    /** Absolute path of a snapshot with etcd's checksum at its end. */
    | { readonly file: string }
    | {
          readonly s3: S3Plan;
          /** Whose snapshots: another cluster's, if this one shall be its copy. */
          readonly cluster: string;
          /** `c-20261121T053834.123Z`. @default - the newest */
          readonly name?: string;
      };

/** As many writes as etcd's own documentation suggests: years of them. */
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

/** What is wrong with a plan, each with its path. */
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
        [
            Number.isSafeInteger(bumpRevision) && bumpRevision > 0,
            "bumpRevision",
            "a positive whole number",
            bumpRevision,
        ],
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

/** The steps of restoring, in their order, as the log names them. */
export const stepNames = [
    "fetch-snapshot",
    "stop-member",
    "restore-data",
    "swap-data",
    "start-member",
    "wait-until-serving",
] as const;

export type StepName = (typeof stepNames)[number];
