import * as v from "valibot";
import { list, object, text, texts } from "../../agents/harness/plan";
import type { Needed } from "./needed";
import { digestText } from "./read-json";

const versions = { least: 1, pattern: /^\d+\.\d+\.\d+$/ };
const file = object({ url: text("a URL"), sha256: text("a SHA-256", /^[0-9a-f]{64}$/), path: text("a path") });

export const aboutSchema = object({
    formatVersion: v.literal(1, "1"),
    /** Version of Tradewind. */
    tradewind: text("a version"),
    kubernetes: texts("a list of at least one version", versions),
    architectures: texts(),
    images: list(object({ name: text(), digest: digestText })),
    files: list(file),
});

/** `bundle.json`: what a bundle has. */
export type About = v.InferOutput<typeof aboutSchema>;

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
