import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EtcdCredentials } from "../../../clients/etcd/client";

/** A member's own, by which it is a client of etcd too: read at every use, since they may be others by then. */
export function memberCredentials(directory: string): () => EtcdCredentials {
    const read = (file: string) => readFileSync(join(directory, file), "utf8");
    return () => ({ ca: read(authorityFile), cert: read(certificateFile), key: read(keyFile) });
}

/** Whom an etcd member and its peers trust, in the directory of its certificates. */
export const authorityFile = "ca.crt";
/** Its certificate, for servers and clients. */
export const certificateFile = "member.crt";
/** The key of that. */
export const keyFile = "member.key";
/** What the kubelet reads, among the machine's static pods. */
export const staticPodFile = "etcd.json";
