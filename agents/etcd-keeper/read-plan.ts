import { type Check, isAbsolutePath, isText, isUrl, problemsOf, readPlanFile } from "../common/read-plan";
import type { KeeperPlan, S3Plan } from "./plan";

export function readPlan(path: string): KeeperPlan {
    return readPlanFile<KeeperPlan>(path, planProblems);
}

/** What is wrong with a plan, each with its path. */
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
