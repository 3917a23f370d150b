import { createHash } from "node:crypto";
import { render, specVersion } from "../../ignition";

/** Where a node's config lies, and what it is: no secret. */
export interface ConfigPointer {
    readonly bucket: string;
    readonly key: string;
    /** SHA-512 of the config: 128 hexadecimal digits. */
    readonly hash: string;
}

export function configHash(text: string): string {
    return createHash("sha512").update(text).digest("hex");
}

/**
 * The user-data of an instance: where its config lies, which Ignition fetches as the instance's role and compares.
 *
 * EC2 takes 16 KiB and shows user-data to everybody who may describe instances; configs are longer, and hold a token.
 */
export function userData({ bucket, key, hash }: ConfigPointer): string {
    const replace = { source: `s3://${bucket}/${key}`, verification: { hash: `sha512-${hash}` } };
    return render({ ignition: { version: specVersion, config: { replace } } });
}
