import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EtcdCredentials } from "../../../clients/etcd/client";

/**
 * The member's own certificate, which it also uses as a client of etcd. Read at every use, since it may be replaced.
 */
export function memberCredentials(directory: string): () => EtcdCredentials {
    const read = (file: string) => readFileSync(join(directory, file), "utf8");
    return () => ({ ca: read(caFile), cert: read(certificateFile), key: read(keyFile) });
}

/** The CAs that a member and its peers trust, in its certificate directory. */
export const caFile = "ca.crt";
/** Its certificate, for servers and clients. */
export const certificateFile = "member.crt";
/** The certificate's key. */
export const keyFile = "member.key";
/** File name of the member's static pod. */
export const staticPodFile = "etcd.json";
