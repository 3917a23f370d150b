import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../../harness/plan";

/** The etcd keeper's plan: `plan.json`. */
export interface KeeperPlan {
    readonly clusterName: string;
    readonly kubernetesVersion: string;
    /**
     * Client URL of the member on the keeper's own machine: `https://127.0.0.1:2379`. The others are discovered through
     * it.
     */
    readonly endpoint: string;
    /** The kube-apiserver on the keeper's own machine, to which it publishes its status. */
    readonly apiServer: string;
    /** Directory of `ca.crt`, `member.crt` and `member.key`. */
    readonly pki: string;
    /** Path of etcd's own program for reading snapshots. */
    readonly etcdutl: string;
    readonly snapshots: SnapshotPlan;
}

interface SnapshotPlan {
    readonly intervalSeconds: number;
    readonly retention: Retention;
    /** Absolute path, the same on the host and in the container. */
    readonly directory: string;
    readonly s3?: S3Plan;
}

/** Which snapshots to keep. The newest good one is always kept. */
export interface Retention {
    /** Number of snapshots to keep. */
    readonly keep: number;
    /** Maximum age. @default - no limit */
    readonly maxAgeSeconds?: number;
}

export interface S3Plan {
    /** `https://s3.example.com`, without the bucket. */
    readonly endpoint: string;
    readonly region: string;
    readonly bucket: string;
    /** Prefix of every key, without leading and trailing slashes. */
    readonly prefix: string;
    /**
     * Directory of the files `access-key-id`, `secret-access-key` and, if encryption is on, `encryption-key`.
     * @default - none: requests are signed with the role of this EC2 instance
     */
    readonly secrets?: string;
    readonly isEncrypted: boolean;
}

export function readPlan(path: string): KeeperPlan {
    return readPlanFile<KeeperPlan>(path, planProblems);
}

/** Everything wrong with a plan, each problem with its path. */
export function planProblems({
    clusterName,
    kubernetesVersion,
    endpoint,
    apiServer,
    pki,
    etcdutl,
    snapshots,
}: KeeperPlan): string[] {
    const { intervalSeconds, retention, directory, s3 } = snapshots ?? {};
    const { keep, maxAgeSeconds } = retention ?? {};
    const checks: Check[] = [
        [isText(clusterName), "clusterName", "a name", clusterName],
        [isText(kubernetesVersion), "kubernetesVersion", "a version", kubernetesVersion],
        [isUrl("https", endpoint), "endpoint", "an https:// URL without a path", endpoint],
        [isUrl("https", apiServer), "apiServer", "an https:// URL without a path", apiServer],
        [isAbsolutePath(pki), "pki", "an absolute path", pki],
        [isAbsolutePath(etcdutl), "etcdutl", "an absolute path", etcdutl],
        [isPositive(intervalSeconds), "snapshots.intervalSeconds", "a positive number", intervalSeconds],
        [isPositive(keep), "snapshots.retention.keep", "a positive number", keep],
        [
            maxAgeSeconds === undefined || isPositive(maxAgeSeconds),
            "snapshots.retention.maxAgeSeconds",
            "a positive number",
            maxAgeSeconds,
        ],
        [isAbsolutePath(directory), "snapshots.directory", "an absolute path", directory],
        ...(s3 ? s3Checks(s3, "snapshots.s3") : []),
    ];
    return problemsOf(checks);
}

export function s3Checks({ endpoint, region, bucket, prefix, secrets, isEncrypted }: S3Plan, path: string): Check[] {
    const isStore = isUrl("https", endpoint) || isUrl("http", endpoint);
    return [
        [isStore, `${path}.endpoint`, "an http:// or https:// URL without a path", endpoint],
        [isText(region), `${path}.region`, "a name", region],
        [isText(bucket), `${path}.bucket`, "a name", bucket],
        [isText(prefix), `${path}.prefix`, "a path", prefix],
        [secrets === undefined || isAbsolutePath(secrets), `${path}.secrets`, "an absolute path", secrets],
        [typeof isEncrypted === "boolean", `${path}.isEncrypted`, "true or false", isEncrypted],
        [secrets !== undefined || !isEncrypted, `${path}.isEncrypted`, "false without secrets", isEncrypted],
    ];
}

function isPositive(value: unknown): boolean {
    return typeof value === "number" && Number.isFinite(value) && value > 0;
}
