import { createHash } from "node:crypto";
import { dataUrl, gzip } from "./data-url";
import type { Resource, Storage } from "./types";

export type File = NonNullable<Storage["files"]>[number];
export type Directory = NonNullable<Storage["directories"]>[number];
export type Link = NonNullable<Storage["links"]>[number];

/** Owner of a file: a name or a number. */
export type Owner = string | number;

export interface NodeOptions {
    /** Permission bits, such as 0o600. @default 0o644 for files, 0o755 for directories */
    mode?: number;
    /** @default root */
    user?: Owner;
    /** @default root */
    group?: Owner;
    /** Whether to replace an existing one. @default true for files and links, false for directories */
    overwrite?: boolean;
}

export interface FileOptions extends NodeOptions {
    /** Whether to compress the contents in the config. @default false */
    gzip?: boolean;
    /** Whether to add the SHA-256 of the contents, for Ignition to check. @default false */
    verify?: boolean;
}

/** A file with inline contents. */
export function file(path: string, contents: string | Uint8Array, options: FileOptions = {}): File {
    const inline: Resource = options.gzip
        ? { source: dataUrl(gzip(contents)), compression: "gzip" }
        : { source: dataUrl(contents) };
    // Of the uncompressed contents.
    const hash = () => `sha256-${createHash("sha256").update(contents).digest("hex")}`;
    return {
        ...node(path, { overwrite: true, ...options }),
        mode: options.mode ?? 0o644,
        contents: { ...inline, ...(options.verify && { verification: { hash: hash() } }) },
    };
}

export interface RemoteOptions extends NodeOptions {
    /** SHA-256 of the contents as lower-case hex. */
    sha256?: string;
    /** SHA-512 of the contents as lower-case hex. */
    sha512?: string;
    /** Compression of the source: `gzip`. @default - none */
    compression?: string;
}

/** A file that Ignition downloads and refuses if its hash differs. */
export function remoteFile(path: string, url: string, options: RemoteOptions): File {
    const { sha256, sha512, compression } = options;
    if (!sha256 && !sha512) {
        throw new Error(`${path} must have a sha256 or sha512 (got neither)`);
    }
    const hash = sha512 ? `sha512-${sha512}` : `sha256-${sha256}`;
    const contents: Resource = { source: url, ...(compression && { compression }), verification: { hash } };
    return { ...node(path, { overwrite: true, ...options }), mode: options.mode ?? 0o644, contents };
}

/** A directory; missing parents are created. */
export function directory(path: string, options: NodeOptions = {}): Directory {
    return { ...node(path, options), mode: options.mode ?? 0o755 };
}

export interface LinkOptions extends Omit<NodeOptions, "mode"> {
    /** Whether it is a hard link. @default false */
    hard?: boolean;
}

/** A symbolic link, or a hard one. */
export function link(path: string, target: string, options: LinkOptions = {}): Link {
    return { ...node(path, { overwrite: true, ...options }), target, ...(options.hard && { hard: true }) };
}

function node(path: string, { user, group, overwrite }: NodeOptions) {
    return {
        path,
        ...(overwrite !== undefined && { overwrite }),
        ...(user !== undefined && { user: owner(user) }),
        ...(group !== undefined && { group: owner(group) }),
    };
}

function owner(value: Owner): { id: number } | { name: string } {
    return typeof value === "number" ? { id: value } : { name: value };
}
