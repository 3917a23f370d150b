import * as v from "valibot";
import { list, object, text } from "../../agents/harness/plan";
import { RepositoryClient, repositoryUrl } from "../../clients/registry";
import type { Architecture } from "../../cluster/downloads";
import { digestText, readJson } from "./read-json";

/** A manifest, configuration or layer. */
export interface Blob {
    readonly mediaType: string;
    /** `sha256:` and 64 hexadecimal digits. */
    readonly digest: string;
    readonly size: number;
}

/** An image as its registry has it, for some architectures. */
export interface RegistryImage {
    /** With its tag, without a digest, unless it has no tag. */
    readonly name: string;
    readonly top: Blob;
    /** The texts of its manifests, of which the first is `top`. */
    readonly manifests: readonly (Blob & { readonly text: string })[];
    /** Configurations and layers. */
    readonly blobs: readonly Blob[];
    /** Where a blob is, with a new token where the registry requires one. */
    readonly locate: (blob: Blob) => Promise<ReturnType<RepositoryClient["blob"]>>;
}

const blob = { mediaType: text("a media type"), digest: digestText, size: v.number("a number of bytes") };
const platform = v.optional(object({ os: text(), architecture: text() }));

const manifestSchema = object({
    mediaType: v.optional(text("a media type")),
    config: v.optional(object(blob)),
    layers: v.optional(list(object(blob))),
    manifests: v.optional(list(object({ ...blob, platform }))),
});

/**
 * Reads an image's manifests.
 *
 * @param from - URL of a server that has the images of all registries. @default the image's registry
 */
export async function readImage(
    image: string,
    architectures: readonly Architecture[],
    from?: string,
): Promise<RegistryImage> {
    const { name, repository, reference } = partsOf(image);
    const client = new RepositoryClient(...repository(from));
    const read = async (which: string) => {
        const { text, sha256 } = await client.manifest(which);
        const manifest = readJson("its manifest", text, manifestSchema);
        if (!manifest.manifests && !manifest.layers)
            throw new Error("its manifest must have layers or manifests (got neither)");
        const mediaType =
            manifest.mediaType ?? `application/vnd.oci.image.${manifest.manifests ? "index" : "manifest"}.v1+json`;
        return { manifest, blob: { mediaType, digest: `sha256:${sha256}`, size: Buffer.byteLength(text), text } };
    };
    const top = await read(reference);
    const own = await Promise.all(
        top.manifest.manifests
            ? architectures.map((each) => read(digestFor(image, top.manifest.manifests!, each)))
            : [top],
    );
    const blobs = own.flatMap(({ manifest: { config, layers = [] } }) => [...(config ? [config] : []), ...layers]);
    const manifests = [top, ...own].map(({ blob }) => blob);
    return {
        name,
        top: top.blob,
        manifests: [...new Map(manifests.map((each) => [each.digest, each])).values()],
        blobs: [...new Map(blobs.map((each) => [each.digest, each])).values()],
        locate: async ({ digest }) => {
            await client.manifest(top.blob.digest);
            return client.blob(digest);
        },
    };
}

/** An image's name, and how to ask for it. */
function partsOf(image: string) {
    const [name = "", digest] = image.split("@");
    const [, host = "", path = "", tag] = /^([^/]+)\/(.+?)(?::([^:/]+))?$/.exec(name) ?? [];
    return {
        name: tag === undefined ? image : name,
        reference: digest ?? tag ?? "latest",
        repository: (from?: string): [url: string, query?: string] =>
            from === undefined
                ? [repositoryUrl(`${host}/${path}:${tag ?? "latest"}`)]
                : [`${from}/v2/${path}`, `?ns=${host}`],
    };
}

function digestFor(
    image: string,
    manifests: NonNullable<v.InferOutput<typeof manifestSchema>["manifests"]>,
    architecture: Architecture,
): string {
    const found = manifests.find(({ platform }) => platform?.os === "linux" && platform.architecture === architecture);
    if (found === undefined) throw new Error(`${image} must have a manifest for linux/${architecture} (got none)`);
    return found.digest;
}
