import * as v from "valibot";
import { absolutePath, flag, object, port, positive, text, url } from "../../harness/plan";

const retention = object({
    /** Number of snapshots to keep. */
    keep: positive(),
    /** Maximum age. @default - no limit */
    maxAgeSeconds: v.optional(positive()),
});

/** Which snapshots to keep. The newest good one is always kept. */
export type Retention = v.InferOutput<typeof retention>;

export const s3Plan = v.pipe(
    object({
        /** `https://s3.example.com`, without the bucket. */
        endpoint: text("an http:// or https:// URL without a path", /^https?:\/\/[^/]+$/),
        region: text(),
        bucket: text(),
        /** Prefix of every key, without leading and trailing slashes. */
        prefix: text("a path"),
        /**
         * Directory of the files `access-key-id`, `secret-access-key` and, if encryption is on, `encryption-key`.
         * @default - none: requests are signed with the role of this EC2 instance
         */
        secrets: v.optional(absolutePath),
        /** Whether requests are signed with that role although there are secrets, of which only the last is used. */
        instanceRole: v.optional(flag),
        isEncrypted: flag,
    }),
    v.forward(
        v.partialCheck(
            [["secrets"], ["isEncrypted"]],
            ({ secrets, isEncrypted }) => secrets !== undefined || !isEncrypted,
            "false without secrets",
        ),
        ["isEncrypted"],
    ),
);

export type S3Plan = v.InferOutput<typeof s3Plan>;

export const planSchema = object({
    clusterName: text(),
    kubernetesVersion: text("a version"),
    /**
     * Client URL of the member on the keeper's own machine: `https://127.0.0.1:2379`. The others are discovered through
     * it.
     */
    endpoint: url("https"),
    /** The kube-apiserver on the keeper's own machine, to which it publishes its status. */
    apiServer: url("https"),
    /** Directory of `ca.crt`, `member.crt` and `member.key`. */
    pki: absolutePath,
    /** Path of etcd's own program for reading snapshots. */
    etcdutl: absolutePath,
    /** Port for metrics on 127.0.0.1. @default - none */
    metricsPort: v.optional(port),
    snapshots: object({
        intervalSeconds: positive(),
        retention,
        /** Absolute path, the same on the host and in the container. */
        directory: absolutePath,
        s3: v.optional(s3Plan),
    }),
});

/** The etcd keeper's plan: `plan.json`. */
export type KeeperPlan = v.InferOutput<typeof planSchema>;
