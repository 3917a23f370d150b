import type { S3Plan } from "../plan";
import type { StepName } from "./step-names";

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
