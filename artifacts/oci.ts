import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { sha256File } from "./checksum";
import { platform } from "./download";
import { send } from "./registry";

const MANIFEST = "application/vnd.oci.image.manifest.v1+json";
const CONFIG = "application/vnd.oci.image.config.v1+json";
/** Not compressed: it goes over a bridge inside one machine, where unpacking costs more than sending. */
const LAYER = "application/vnd.oci.image.layer.v1.tar";

/** How a container of an image starts, unless its pod says otherwise; spelled as OCI spells it. */
export interface ImageConfig {
    readonly Entrypoint?: readonly string[];
    readonly Cmd?: readonly string[];
    readonly Env?: readonly string[];
    readonly User?: string;
    readonly StopSignal?: string;
    readonly WorkingDir?: string;
}

/** A blob's digest (hexadecimal SHA-256) and size. */
interface Blob {
    readonly digest: string;
    readonly size: number;
}

/** Puts an image of layer archives into a registry under one repository and its tags. @returns the digests of its blobs */
export async function pushImage(
    socket: string,
    repository: string,
    tag: string,
    layers: readonly string[],
    config: ImageConfig,
): Promise<string[]> {
    const blobs: Blob[] = [];
    for (const layer of layers) {
        const blob = { digest: await sha256File(layer), size: (await stat(layer)).size };
        await upload(socket, repository, blob, { file: layer });
        blobs.push(blob);
    }
    const configText = imageConfig(blobs, config);
    await upload(socket, repository, blobOf(configText), { text: configText });
    const manifest = imageManifest(blobOf(configText), blobs);
    const answer = await send(socket, "PUT", `/v2/${repository}/manifests/${tag}`, {
        headers: { "content-type": MANIFEST, "content-length": Buffer.byteLength(manifest) },
        text: manifest,
    });
    expectStatus(answer, 201, `manifest of ${repository}:${tag}`);
    return [blobOf(manifest), blobOf(configText), ...blobs].map(({ digest }) => digest);
}

function imageConfig(layers: readonly Blob[], config: ImageConfig): string {
    return JSON.stringify({
        created: "1970-01-01T00:00:00Z",
        architecture: platform().arch,
        os: "linux",
        config,
        rootfs: { type: "layers", diff_ids: layers.map(({ digest }) => `sha256:${digest}`) },
    });
}

function imageManifest(config: Blob, layers: readonly Blob[]): string {
    const descriptor = (mediaType: string) => (blob: Blob) => ({
        mediaType,
        digest: `sha256:${blob.digest}`,
        size: blob.size,
    });
    return JSON.stringify({
        schemaVersion: 2,
        mediaType: MANIFEST,
        config: descriptor(CONFIG)(config),
        layers: layers.map(descriptor(LAYER)),
    });
}

function blobOf(text: string): Blob {
    return { digest: createHash("sha256").update(text).digest("hex"), size: Buffer.byteLength(text) };
}

async function upload(
    socket: string,
    repository: string,
    { digest, size }: Blob,
    body: { file: string } | { text: string },
): Promise<void> {
    const there = await send(socket, "HEAD", `/v2/${repository}/blobs/sha256:${digest}`);
    if (there.status === 200) {
        return;
    }
    const opened = await send(socket, "POST", `/v2/${repository}/blobs/uploads/`, { headers: { "content-length": 0 } });
    expectStatus(opened, 202, `upload to ${repository}`);
    const place = new URL(opened.headers.location!, "http://localhost");
    place.searchParams.set("digest", `sha256:${digest}`);
    const headers = { "content-type": "application/octet-stream", "content-length": size };
    const closed = await send(socket, "PUT", `${place.pathname}${place.search}`, { headers, ...body });
    expectStatus(closed, 201, `blob ${digest} of ${repository}`);
}

function expectStatus({ status, body }: { status: number; body: string }, expected: number, what: string): void {
    if (status !== expected) {
        throw new Error(`the registry answered ${status} for the ${what}: ${body.slice(0, 500)}`);
    }
}
