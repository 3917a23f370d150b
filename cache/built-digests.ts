import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mirrorPath } from "../versions/images";
import { cacheDir } from ".";

/** Folder of the registry's files in its storage folder. */
export const registryStorage = "registry/docker/registry/v2";

/** Path of the file with the digest of an image that the mirror's registry holds. */
export function tagLink({ repository, tag }: ReturnType<typeof mirrorPath>): string {
    return `${registryStorage}/repositories/${repository}/_manifests/tags/${tag}/current/link`;
}

/**
 * The image with the digest that it has in the cache, where it was built: another one than its publisher's. Undefined if
 * the cache lacks it.
 */
export function byBuiltDigest(image: string): string | undefined {
    const file = join(cacheDir(), tagLink(mirrorPath(image)));
    return existsSync(file) ? `${image}@${readFileSync(file, "utf8").trim()}` : undefined;
}
