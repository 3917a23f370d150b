import { chmodSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../common/durable";
import { staticPodFile } from "../common/member-files";
import { withUid } from "../common/static-pod-uid";
import { certificateFiles, type EtcdJoinPlan, initialClusterPlaceholder } from "./plan";
import type { Disk } from "./standing";
import { logNames, memberOfLogs } from "./wal";

export function readDisk(plan: EtcdJoinPlan): Disk {
    const logs = join(plan.directories.data, "member", "wal");
    // etcd itself takes the write-ahead log, which appears whole, for its answer.
    const hasData = existsSync(logs) && logNames(logs).length > 0;
    const memberId = hasData ? memberOfLogs(logs) : undefined;
    return { hasData, ...(memberId && { memberId }), hasStaticPod: existsSync(staticPodPath(plan)) };
}

/** Where the kubelet reads the member's static pod. */
export function staticPodPath({ directories }: EtcdJoinPlan): string {
    return join(directories.staticPods, staticPodFile);
}

/** Gives the member its certificates, and tells which of them were new. */
export function installCertificates({ directories }: EtcdJoinPlan, source: string): string[] {
    mkdirSync(directories.pki, { recursive: true });
    // The mount made it, for all to read.
    chmodSync(directories.pki, 0o700);
    return certificateFiles.filter((name) => writeIfNew(join(directories.pki, name), readText(join(source, name))));
}

/**
 * Has the kubelet run the member. Tells whether anything changed.
 *
 * A member that ran before knows its peers: a new list would only restart it.
 */
export function installStaticPod(plan: EtcdJoinPlan, initialCluster: string): boolean {
    const { hasData, hasStaticPod } = readDisk(plan);
    if (hasData && hasStaticPod) {
        return false;
    }
    const text = JSON.stringify(plan.staticPod).replaceAll(initialClusterPlaceholder, initialCluster);
    // Another list is another pod.
    return writeIfNew(staticPodPath(plan), `${JSON.stringify(withUid(JSON.parse(text)), null, 2)}\n`);
}

function writeIfNew(path: string, text: string): boolean {
    if (existsSync(path) && readText(path) === text) {
        return false;
    }
    // The half-written file is beside it, where the kubelet skips names that begin with a dot.
    writeDurably(path, text);
    return true;
}

function readText(path: string): string {
    return readFileSync(path, "utf8");
}
