import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AwsCredentials } from "../../common/aws-signature";

/** The files of the Secret with a store's credentials. */
export const secretFiles = {
    accessKeyId: "access-key-id",
    secretAccessKey: "secret-access-key",
    encryptionKey: "encryption-key",
} as const;

export function readS3Credentials(directory: string): AwsCredentials {
    const read = (name: string) => readFileSync(join(directory, name), "utf8").trim();
    return { accessKeyId: read(secretFiles.accessKeyId), secretAccessKey: read(secretFiles.secretAccessKey) };
}

/** The 32 bytes of a key, which lies there in base64. */
export function readEncryptionKey(directory: string): Buffer {
    const path = join(directory, secretFiles.encryptionKey);
    const key = Buffer.from(readFileSync(path, "utf8").trim(), "base64");
    if (key.length !== 32) {
        throw new Error(`${path} must be 32 bytes in base64, got ${key.length} bytes`);
    }
    return key;
}
