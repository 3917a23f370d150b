import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Manifest, RepositoryClient, repositoryUrl } from "../clients/registry";
import { publishedDigests } from "../versions/image-digests";
import { mirrorPath } from "../versions/images";
import { sha256File } from "./checksum";
import { platform, save } from "./download";
import type { Workshop } from "./item";
import { blobPlace, storedLinks, storedPlaces } from "./registry-storage";
import { retry } from "./way";

/**
 * Copies a published image into the mirror's registry, for this machine's processor: by its digest if the release knows
 * it, otherwise by its tag.
 *
 * @param names - under which the mirror serves it
 * @returns its files in the cache
 */
export async function pullImage(image: string, names: readonly string[], workshop: Workshop): Promise<string[]> {
    const { sites } = workshop;
    const client = new RepositoryClient(sites.url(repositoryUrl(image)));
    const pinned = sites.sha256(image, publishedDigests[image]?.sha256);
    const top = await retry(() => client.manifest(pinned ? `sha256:${pinned}` : mirrorPath(image).tag));
    const index = JSON.parse(top.text) as { manifests?: readonly PlatformManifest[] };
    const own = index.manifests ? await retry(() => client.manifest(ownDigest(image, index.manifests!))) : top;
    const { config, layers } = JSON.parse(own.text) as Record<"config", Described> & Record<"layers", Described[]>;
    const manifests = [...new Map([top, own].map((manifest) => [manifest.sha256, manifest])).values()];
    const blobs = [...new Set([config, ...layers].map(({ digest }) => hexOf(digest)))];
    for (const digest of blobs) {
        if (!existsSync(workshop.path(blobPlace(digest)))) await retry(() => pullBlob(client, digest, workshop));
    }
    for (const manifest of manifests) await keepText(manifest.text, blobPlace(manifest.sha256), workshop);
    const stored = { manifests: manifests.map(({ sha256 }: Manifest) => sha256), blobs };
    for (const name of names.map(mirrorPath)) {
        for (const [place, digest] of Object.entries(storedLinks(name, stored))) {
            await keepText(`sha256:${digest}`, place, workshop);
        }
    }
    return [...new Set(names.flatMap((name) => storedPlaces(mirrorPath(name), stored)))];
}

interface Described {
    readonly digest: string;
}

interface PlatformManifest extends Described {
    readonly platform?: { readonly os: string; readonly architecture: string };
}

function ownDigest(image: string, manifests: readonly PlatformManifest[]): string {
    const { arch } = platform();
    const own = manifests.find(({ platform: of }) => of?.os === "linux" && of.architecture === arch);
    if (own === undefined) throw new Error(`${image} must have a manifest for linux/${arch} (got none)`);
    return own.digest;
}

function hexOf(digest: string): string {
    const [, hex] = /^sha256:([0-9a-f]{64})$/.exec(digest) ?? [];
    if (hex === undefined) throw new Error(`digest must be sha256:<64 hexadecimal digits> (got ${digest})`);
    return hex;
}

async function pullBlob(client: RepositoryClient, digest: string, { scratch, keep }: Workshop): Promise<void> {
    const file = join(scratch, digest);
    const { url, headers } = client.blob(`sha256:${digest}`);
    await save(url, file, headers);
    const actual = await sha256File(file);
    if (actual !== digest) throw new Error(`blob must have SHA-256 ${digest} (got ${actual})`);
    await keep(file, blobPlace(digest));
}

async function keepText(text: string, place: string, { scratch, keep }: Workshop): Promise<void> {
    const file = join(scratch, "text");
    await writeFile(file, text);
    await keep(file, place);
}
