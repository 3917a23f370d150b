/** What the keeper of a cluster's etcd does, and where: `plan.json`. */
export interface KeeperPlan {
    readonly clusterName: string;
    readonly kubernetesVersion: string;
    /** Client URL of the member on the keeper's own machine: `https://127.0.0.1:2379`. The others are found by it. */
    readonly endpoint: string;
    /** The apiserver of the keeper's own machine, which the status is published to. */
    readonly apiServer: string;
    /** Directory of `ca.crt`, `member.crt` and `member.key`. */
    readonly pki: string;
    /** The program of etcd's own release that reads snapshots. */
    readonly etcdutl: string;
    readonly snapshots: SnapshotPlan;
}

export interface SnapshotPlan {
    readonly intervalSeconds: number;
    readonly retention: Retention;
    /** Absolute path, the same on the host and in the container. */
    readonly directory: string;
    readonly s3?: S3Plan;
}

/** Which snapshots stay. The newest good one always does. */
export interface Retention {
    /** The newest so many. */
    readonly keep: number;
    /** None older than this. @default - no limit */
    readonly maxAgeSeconds?: number;
}

export interface S3Plan {
    /** `https://s3.example.com`, the bucket not in it. */
    readonly endpoint: string;
    readonly region: string;
    readonly bucket: string;
    /** Begins every key, without slashes around it. */
    readonly prefix: string;
    /**
     * Directory of the files `access-key-id`, `secret-access-key` and, if asked for, `encryption-key`.
     * @default - none is needed: requests are signed as the role of this instance of EC2
     */
    readonly secrets?: string;
    readonly isEncrypted: boolean;
}
