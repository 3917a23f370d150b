import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "../clients/kubernetes/api-error";
import { type PublishedDigest, publishedDigests } from "../versions/image-digests";
import { releaseImages } from "./reference/images";

const LOCK = join(__dirname, "../versions/image-digests.json");

/** Manifests of an image for all architectures, and of one that has only one. */
const ACCEPT = [
    "application/vnd.oci.image.index.v1+json",
    "application/vnd.docker.distribution.manifest.list.v2+json",
    "application/vnd.oci.image.manifest.v1+json",
    "application/vnd.docker.distribution.manifest.v2+json",
].join(", ");

const LONGEST_MS = 20_000;

/** `npm run image-digests`: asks the registries for the digest of each image of the release. */
export async function main(args: readonly string[]): Promise<number> {
    if (args.some((arg) => arg !== "--write")) throw new Error(`option must be --write (got ${args.join(" ")})`);
    const found: Record<string, PublishedDigest> = {};
    let failures = 0;
    for (const image of releaseImages()) {
        const known = publishedDigests[image];
        try {
            const sha256 = await digestOf(image);
            found[image] = { sha256, from: "registry" };
            const what = known === undefined ? "new" : known.sha256 === sha256 ? "as in the table" : "CHANGED";
            process.stdout.write(`${image}@sha256:${sha256} ${what}\n`);
        } catch (error) {
            failures++;
            if (known !== undefined) found[image] = known;
            process.stderr.write(`${image}: ${describeError(error)}\n`);
        }
    }
    if (args.includes("--write")) writeFileSync(LOCK, `${JSON.stringify(found, undefined, 4)}\n`);
    return failures === 0 ? 0 : 1;
}

/**
 * The digest of an image: the SHA-256 of its manifest, computed here.
 *
 * @param registryUrl - base URL of a registry by its name in images
 */
export async function digestOf(image: string, registryUrl = publicUrl): Promise<string> {
    const [, host = "", repository = "", tag = ""] = /^([^/]+)\/(.+):([^:/]+)$/.exec(image) ?? [];
    const url = `${registryUrl(host)}/v2/${repository}/manifests/${tag}`;
    const first = await get(url);
    const response = first.status === 401 ? await get(url, await tokenFor(first)) : first;
    if (response.status !== 200) throw new Error(`${url} answers ${response.status}`);
    const sha256 = createHash("sha256")
        .update(Buffer.from(await response.arrayBuffer()))
        .digest("hex");
    const said = response.headers.get("docker-content-digest");
    if (said !== null && said !== `sha256:${sha256}`) {
        throw new Error(`${url} has SHA-256 ${sha256}, but its registry says ${said}`);
    }
    return sha256;
}

/** Docker Hub's registry has another name than its images. */
function publicUrl(host: string): string {
    return `https://${host === "docker.io" ? "registry-1.docker.io" : host}`;
}

function get(url: string, token?: string): Promise<Response> {
    const headers = { accept: ACCEPT, ...(token && { authorization: `Bearer ${token}` }) };
    return fetch(url, { headers, signal: AbortSignal.timeout(LONGEST_MS) });
}

/** A token to read public images, from where the registry says. Source: "Token Authentication" of distribution's docs. */
async function tokenFor(refusal: Response): Promise<string> {
    const header = refusal.headers.get("www-authenticate") ?? "";
    const fields = Object.fromEntries([...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
    if (!/^Bearer /i.test(header) || !fields.realm) {
        throw new Error(`${refusal.url} requires a login: ${header || "it does not say which"}`);
    }
    const url = new URL(fields.realm);
    for (const name of ["service", "scope"]) if (fields[name]) url.searchParams.set(name, fields[name]);
    const response = await get(url.href);
    if (response.status !== 200) throw new Error(`${url.href} answers ${response.status}`);
    const { token, access_token: other } = (await response.json()) as { token?: string; access_token?: string };
    return token ?? other ?? "";
}
