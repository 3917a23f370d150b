import type { Config } from "../config";
import { decodeDataUrl } from "../data-url";
import type { File } from "../storage";
import type { Node, Resource } from "../types";

export const systemd = "/etc/systemd/system";

/**
 * Characters that YAML preserves in a text block; line ends other than
 *  are not among them.
 */
const plainText = /^[\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u;

/** An entry of cloud-init's `write_files`. */
export interface WrittenFile {
    path: string;
    permissions: string;
    owner?: string;
    defer?: true;
    append?: true;
    content: string;
    encoding?: "b64" | "gz+b64";
}

/** Files whose contents are inline, and the texts of units. */
export function writtenFiles({ storage = {}, systemd: { units = [] } = {} }: Config): WrittenFile[] {
    const unitFile = (path: string, content: string): WrittenFile => ({
        path: `${systemd}/${path}`,
        permissions: "0644",
        ...encode(Buffer.from(content)),
    });
    return [
        ...(storage.files ?? []).flatMap(inlineFile),
        ...units.flatMap(({ name, mask, contents, dropins = [] }) => [
            // A file instead of its link to /dev/null would keep the unit from being masked.
            ...(contents && !mask ? [unitFile(name, contents)] : []),
            ...dropins
                .filter((dropin) => dropin.contents)
                .map((dropin) => unitFile(`${name}.d/${dropin.name}`, dropin.contents!)),
        ]),
    ];
}

function inlineFile(file: File): WrittenFile[] {
    const { path, mode, user, group, contents, append = [] } = file;
    const owned = user || group ? { owner: `${ownerName(user)}:${ownerName(group)}` } : {};
    const common = {
        path,
        permissions: octal(mode ?? 0o644),
        ...owned,
        // Users are created after most files are written.
        ...(isSomeone(user) || isSomeone(group) ? { defer: true as const } : {}),
    };
    const parts = append.map((part) => ({ ...common, append: true as const, ...inlineContent(part) }));
    if (isRemote(file)) {
        return parts;
    }
    // Without contents, an existing file keeps its own.
    const keeps = typeof contents?.source === "string" ? {} : { append: true as const };
    return [{ ...common, ...keeps, ...inlineContent(contents ?? {}) }, ...parts];
}

/** Whether the machine has to fetch the file's contents. */
export function isRemote({ contents }: File): boolean {
    return !!contents?.source && !contents.source.startsWith("data:");
}

function inlineContent({ source, compression }: Resource): Pick<WrittenFile, "content" | "encoding"> {
    const bytes = decodeDataUrl(source ?? "") ?? Buffer.alloc(0);
    return compression === "gzip" && source ? { content: bytes.toString("base64"), encoding: "gz+b64" } : encode(bytes);
}

function encode(bytes: Buffer): Pick<WrittenFile, "content" | "encoding"> {
    const text = bytes.toString("utf8");
    const isText = plainText.test(text) && Buffer.from(text).equals(bytes);
    return isText ? { content: text } : { content: bytes.toString("base64"), encoding: "b64" };
}

export function ownerName(owner: Node["user"]): string {
    return String(owner?.name || (owner?.id ?? "root"));
}

/** Whether the owner is another one than root. */
export function isSomeone(owner: Node["user"]): boolean {
    return !["root", "0"].includes(ownerName(owner));
}

export function octal(mode: number): string {
    return mode.toString(8).padStart(4, "0");
}
