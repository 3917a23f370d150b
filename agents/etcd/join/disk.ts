import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { withUid } from "../../../clients/kubernetes/pods";
import { writeIfOther } from "../../harness/durable";
import { staticPodFile } from "../member/files";
import type { Disk } from "./member-state";
import { certificateFiles, type EtcdJoinPlan, initialClusterPlaceholder } from "./plan";

export function readDisk(plan: EtcdJoinPlan): Disk {
    const logs = join(plan.directories.data, "member", "wal");
    // etcd itself decides by the write-ahead log, which appears atomically.
    const hasData = existsSync(logs) && logNames(logs).length > 0;
    const memberId = hasData ? memberOfLogs(logs) : undefined;
    return { hasData, ...(memberId && { memberId }), hasStaticPod: existsSync(staticPodPath(plan)) };
}

/** Path of the member's static pod for the kubelet. */
export function staticPodPath({ directories }: EtcdJoinPlan): string {
    return join(directories.staticPods, staticPodFile);
}

/** Installs the member's certificates and returns the names of the new ones. */
export function installCertificates({ directories }: EtcdJoinPlan, source: string): string[] {
    mkdirSync(directories.pki, { recursive: true });
    // The mount created it readable by everyone.
    chmodSync(directories.pki, 0o700);
    return certificateFiles.filter((name) => writeIfOther(join(directories.pki, name), readText(join(source, name))));
}

/**
 * Installs the member's static pod for the kubelet. Returns whether anything changed.
 *
 * A member that ran before knows its peers: a new list would only restart it.
 */
export function installStaticPod(plan: EtcdJoinPlan, initialCluster: string): boolean {
    const { hasData, hasStaticPod } = readDisk(plan);
    if (hasData && hasStaticPod) {
        return false;
    }
    const text = JSON.stringify(plan.staticPod).replaceAll(initialClusterPlaceholder, initialCluster);
    // Another list makes it another pod. The temporary file is in the same directory: the kubelet skips names that
    // begin with a dot.
    return writeIfOther(staticPodPath(plan), `${JSON.stringify(withUid(JSON.parse(text)), null, 2)}\n`);
}

function readText(path: string): string {
    return readFileSync(path, "utf8");
}

// Record types and field numbers. Source: etcd's walpb and etcdserverpb.
const metadata = 1n;
const [recordType, recordData] = [1, 3];
const nodeId = 1;

/** Enough for the metadata record and those before it. */
const beginning = 4096;

/** A member's write-ahead logs; each begins with its metadata. */
export function logNames(directory: string): string[] {
    return readdirSync(directory).filter((name) => name.endsWith(".wal"));
}

/** The ID, in decimal, of the member that wrote these write-ahead logs; undefined if none is complete. */
export function memberOfLogs(directory: string): string | undefined {
    const [name] = logNames(directory).sort();
    return name === undefined ? undefined : memberOfLog(readBeginning(join(directory, name)));
}

/**
 * Parses a log's first bytes: frames of a length (8 bytes, little endian, the highest one has the padding) and a
 * record.
 */
export function memberOfLog(bytes: Buffer): string | undefined {
    for (let at = 0; at + 8 <= bytes.length; ) {
        const length = bytes.readUIntLE(at, 6);
        const padding = bytes[at + 7]! & 0x80 ? bytes[at + 7]! & 0x7 : 0;
        const record = bytes.subarray(at + 8, at + 8 + length);
        if (length === 0 || record.length < length) {
            return undefined;
        }
        const fields = fieldsOf(record);
        const data = fields.get(recordData);
        if (fields.get(recordType) === metadata && Buffer.isBuffer(data)) {
            return fieldsOf(data).get(nodeId)?.toString();
        }
        at += 8 + length + padding;
    }
    return undefined;
}

/** Fields of a protobuf message by number: only numbers and bytes occur here. */
function fieldsOf(message: Buffer): Map<number, bigint | Buffer> {
    const fields = new Map<number, bigint | Buffer>();
    let at = 0;
    const varint = () => {
        let value = 0n;
        for (let shift = 0n; at < message.length; shift += 7n) {
            const byte = message[at++]!;
            value |= BigInt(byte & 0x7f) << shift;
            if (byte < 0x80) break;
        }
        return value;
    };
    while (at < message.length) {
        const tag = Number(varint());
        const value = varint();
        if ((tag & 7) === 0) {
            fields.set(tag >>> 3, value);
        } else {
            fields.set(tag >>> 3, message.subarray(at, at + Number(value)));
            at += Number(value);
        }
    }
    return fields;
}

function readBeginning(path: string): Buffer {
    const file = openSync(path, "r");
    try {
        const bytes = Buffer.alloc(beginning);
        return bytes.subarray(0, readSync(file, bytes));
    } finally {
        closeSync(file);
    }
}
