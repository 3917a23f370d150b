import { registryStorage, tagLink } from "../cache/built-digests";

/** What the mirror's registry holds of an image: hexadecimal SHA-256 digests. */
export interface StoredImage {
    /** The first is the tag's. */
    readonly manifests: readonly string[];
    /** Its configuration and layers. */
    readonly blobs: readonly string[];
}

/** The links of an image's name in the registry's storage: file to the digest it holds. */
export function storedLinks({ repository, tag }: Parameters<typeof tagLink>[0], image: StoredImage) {
    const of = `${registryStorage}/repositories/${repository}`;
    const [first = ""] = image.manifests;
    const links: Record<string, string> = {
        [tagLink({ repository, tag })]: first,
        [`${of}/_manifests/tags/${tag}/index/sha256/${first}/link`]: first,
    };
    for (const digest of image.manifests) links[`${of}/_manifests/revisions/sha256/${digest}/link`] = digest;
    for (const digest of image.blobs) links[`${of}/_layers/sha256/${digest}/link`] = digest;
    return links;
}

/** The file with a manifest, a configuration or a layer. */
export function blobPlace(digest: string): string {
    return `${registryStorage}/blobs/sha256/${digest.slice(0, 2)}/${digest}/data`;
}

/** The files that make up an image under one of its names. */
export function storedPlaces(name: Parameters<typeof tagLink>[0], image: StoredImage): string[] {
    return [...Object.keys(storedLinks(name, image)), ...[...image.manifests, ...image.blobs].map(blobPlace)];
}
