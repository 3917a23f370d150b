import { RepositoryClient, repositoryUrl } from "../../clients/registry";
import type { Architecture } from "../../cluster/downloads";

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

interface Manifest {
    readonly mediaType?: string;
    readonly config?: Blob;
    readonly layers?: readonly Blob[];
    readonly manifests?: readonly (Blob & {
        readonly platform?: { readonly os: string; readonly architecture: string };
    })[];
}

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
        const manifest: Manifest = JSON.parse(text);
        const mediaType =
            manifest.mediaType ?? `application/vnd.oci.image.${manifest.manifests ? "index" : "manifest"}.v1+json`;
        return { manifest, blob: { mediaType, digest: `sha256:${sha256}`, size: Buffer.byteLength(text), text } };
    };
    const top = await read(reference);
    const own = await Promise.all(
        top.manifest.manifests ? architectures.map((each) => read(digestFor(image, top.manifest, each))) : [top],
    );
    const blobs = own.flatMap(({ manifest: { config, layers = [] } }) => [...(config ? [config] : []), ...layers]);
    const manifests = [top, ...own].map(({ blob }) => blob);
    return {
        name,
        top: top.blob,
        manifests: [...new Map(manifests.map((each) => [each.digest, each])).values()],
        blobs: [...new Map(blobs.map((each) => [requireDigest(image, each), each])).values()],
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

function digestFor(image: string, { manifests = [] }: Manifest, architecture: Architecture): string {
    const found = manifests.find(({ platform }) => platform?.os === "linux" && platform.architecture === architecture);
    if (found === undefined) throw new Error(`${image} must have a manifest for linux/${architecture} (got none)`);
    return requireDigest(image, found);
}

function requireDigest(image: string, { digest }: Blob): string {
    if (!/^sha256:[0-9a-f]{64}$/.test(digest)) {
        throw new Error(`digests of ${image} must be sha256:<64 hexadecimal digits> (got ${digest})`);
    }
    return digest;
}
