import known from "./image-digests.json";

/** Digest of an image as its registry publishes it, for all architectures. */
export interface PublishedDigest {
    readonly sha256: string;
    /**
     * Where it was read: from the `registry`, or from public configurations of several `users` who pin it and do not
     * know of each other.
     */
    readonly from: string;
}

/** By the image's name with its tag. `npm run image-digests` reads all of them from the registries. */
export const publishedDigests: Readonly<Record<string, PublishedDigest>> = known;

/** The image with its published digest, if the release knows it. */
export function byPublishedDigest(image: string): string {
    const digest = publishedDigests[image];
    return digest === undefined ? image : `${image}@sha256:${digest.sha256}`;
}
