import { createHash } from "node:crypto";
import { aboutBundle, filePath } from "./about";
import { billOfBundle } from "./bill-of-materials";
import type { Needed } from "./needed";
import type { RegistryImage } from "./registry-images";

/** A file in a bundle. */
export interface Member {
    readonly path: string;
    readonly sha256: string;
    /** Its contents, or where they are. */
    readonly contents: string | (() => Promise<{ readonly url: string; readonly headers?: Record<string, string> }>);
    /** What it is part of, for people. */
    readonly of?: string;
}

/** Names of a bundle's own files. */
export const SUMS = "SHA256SUMS";
export const INDEX = "index.json";
export const ABOUT = "bundle.json";
export const BILL = "sbom.cdx.json";

/** Path of a manifest, configuration or layer. */
export function blobPath(digest: string): string {
    return `blobs/${digest.replace(":", "/")}`;
}

/**
 * The files of a bundle, in order. They depend on nothing but their contents, so that the same images and files give the
 * same bundle. SHA256SUMS comes first, so that the rest can be checked as it is read.
 *
 * @param from - URL of a server that has the files of all sites. @default their own sites
 */
export function membersOf(
    needed: Needed,
    images: readonly RegistryImage[],
    tradewind: string,
    from?: string,
): Member[] {
    const about = aboutBundle(needed, images, tradewind);
    const described = [
        text(ABOUT, lines(about)),
        text(BILL, lines(billOfBundle(about))),
        text("oci-layout", `{"imageLayoutVersion":"1.0.0"}\n`),
        text(INDEX, lines(indexOf(images))),
        ...images.flatMap(blobsOf),
        ...needed.files.map(({ url, sha256 }): Member => {
            const path = filePath(url);
            return {
                path,
                sha256,
                of: url,
                contents: async () => ({ url: from === undefined ? url : `${from}/${path}` }),
            };
        }),
    ];
    const members = described.filter(({ path }, index) => described.findIndex((each) => each.path === path) === index);
    return [text(SUMS, members.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join("")), ...members];
}

/** Images by their names, as containerd, Docker and OCI tools read them. */
function indexOf(images: readonly RegistryImage[]) {
    return {
        schemaVersion: 2,
        mediaType: "application/vnd.oci.image.index.v1+json",
        manifests: images.map(({ name, top: { mediaType, digest, size } }) => ({
            ...{ mediaType, digest, size },
            annotations: { "io.containerd.image.name": name, "org.opencontainers.image.ref.name": name },
        })),
    };
}

function blobsOf({ name, manifests, blobs, locate }: RegistryImage): Member[] {
    const hex = (digest: string) => digest.replace("sha256:", "");
    return [
        ...manifests.map(({ digest, text }) => ({
            path: blobPath(digest),
            sha256: hex(digest),
            contents: text,
            of: name,
        })),
        ...blobs.map((blob) => ({
            path: blobPath(blob.digest),
            sha256: hex(blob.digest),
            contents: () => locate(blob),
            of: name,
        })),
    ];
}

function text(path: string, contents: string): Member {
    return { path, contents, sha256: createHash("sha256").update(contents).digest("hex") };
}

function lines(value: unknown): string {
    return `${JSON.stringify(value, undefined, 2)}\n`;
}
