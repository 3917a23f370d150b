import { gunzipSync } from "node:zlib";

/** Input of the command that starts a cluster. */
export function unpacked(stdin: string): string {
    return gunzipSync(Buffer.from(stdin, "base64")).toString();
}
