import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "../clients/kubernetes/api-error";
import { RepositoryClient, repositoryUrl } from "../clients/registry";
import { type PublishedDigest, publishedDigests } from "../versions/image-digests";
import { mirrorPath } from "../versions/images";
import { releaseImages } from "./reference/images";

const LOCK = join(__dirname, "../versions/image-digests.json");

/** `npm run image-digests`: asks the registries for the digest of each image of the release. */
export async function main(args: readonly string[]): Promise<number> {
    if (args.some((arg) => arg !== "--write")) throw new Error(`option must be --write (got ${args.join(" ")})`);
    const found: Record<string, PublishedDigest> = {};
    let failures = 0;
    for (const image of releaseImages()) {
        const known = publishedDigests[image];
        try {
            const sha256 = (await new RepositoryClient(repositoryUrl(image)).manifest(mirrorPath(image).tag)).sha256;
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
