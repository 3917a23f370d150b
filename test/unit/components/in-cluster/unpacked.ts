import { gunzipSync } from "node:zlib";

/** What the resource that starts a cluster gives its command. */
export function unpacked(stdin: string): string {
    return gunzipSync(Buffer.from(stdin, "base64")).toString();
}
