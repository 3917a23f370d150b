import type { Needed, NeededFile } from "./needed";

/** `bundle.json`: what a bundle has. */
export interface About {
    readonly formatVersion: 1;
    /** Version of Tradewind. */
    readonly tradewind: string;
    readonly kubernetes: readonly string[];
    readonly architectures: readonly string[];
    readonly images: readonly { readonly name: string; readonly digest: string }[];
    readonly files: readonly (NeededFile & { readonly path: string })[];
}

/** @param images - as their registries have them */
export function aboutBundle(
    { kubernetes, architectures, files }: Needed,
    images: readonly { readonly name: string; readonly top: { readonly digest: string } }[],
    tradewind: string,
): About {
    return {
        formatVersion: 1,
        tradewind,
        kubernetes,
        architectures,
        images: images.map(({ name, top }) => ({ name, digest: top.digest })),
        files: files.map(({ url, sha256 }) => ({ url, sha256, path: filePath(url) })),
    };
}

/** Path of a file in a bundle, and on its server. */
export function filePath(url: string): string {
    const { host, pathname } = new URL(url);
    return `files/${host}${pathname}`;
}
