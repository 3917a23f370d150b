import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EtcdCredentials } from "./etcd-client";
import { authorityFile, certificateFile, keyFile } from "./member-files";

/** A member's own, by which it is a client of etcd too: read at every use, since they may be others by then. */
export function memberCredentials(directory: string): () => EtcdCredentials {
    const read = (file: string) => readFileSync(join(directory, file), "utf8");
    return () => ({ ca: read(authorityFile), cert: read(certificateFile), key: read(keyFile) });
}
