import type { FileHandle } from "node:fs/promises";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import * as v from "valibot";
import { list, object, text } from "../../agents/harness/plan";
import { type About, aboutSchema } from "./about";
import { type Bundle, bytesAt, type Place } from "./archive";
import { ABOUT, blobPath, INDEX } from "./members";
import { digestText, readJson } from "./read-json";

/** What a bundle has, by the names that machines ask for. */
export interface Contents {
    readonly about: About;
    readonly bundle: Bundle;
    /** Manifests by digest, and by the image's name. */
    readonly manifests: ReadonlyMap<string, { readonly mediaType: string; readonly digest: string }>;
}

interface Described {
    readonly mediaType: string;
    readonly digest: string;
}

const NAME = "org.opencontainers.image.ref.name";
const described = { mediaType: text("a media type"), digest: digestText };
const indexSchema = object({ manifests: list(object({ ...described, annotations: object({ [NAME]: text() }) })) });
const innerSchema = object({ manifests: v.optional(list(object(described))) });

/** @throws if a file that describes the bundle is missing or invalid */
export async function contentsOf(bundle: Bundle): Promise<Contents> {
    try {
        return await describedIn(bundle);
    } catch (error) {
        throw new Error(`${bundle.file} must be a bundle: ${(error as Error).message}`);
    }
}

async function describedIn(bundle: Bundle): Promise<Contents> {
    const read = async <T>(path: string, schema: v.GenericSchema<unknown, T>) =>
        readJson(path, await bundle.text(path), schema);
    const { formatVersion } = await read(ABOUT, object({ formatVersion: v.unknown() }));
    if (formatVersion !== 1) throw new Error(`formatVersion must be 1 (got ${formatVersion}): use a newer Tradewind`);
    const about = await read(ABOUT, aboutSchema);
    const manifests = new Map<string, Described>();
    for (const { mediaType, digest, annotations } of (await read(INDEX, indexSchema)).manifests) {
        manifests.set(annotations[NAME], { mediaType, digest });
        manifests.set(digest, { mediaType, digest });
        const { manifests: inner = [] } = await read(blobPath(digest), innerSchema);
        for (const each of inner) manifests.set(each.digest, each);
    }
    return { about, bundle, manifests };
}

const registryVersion = { "docker-distribution-api-version": "registry/2.0" };

/**
 * Answers what containerd and downloads on machines ask for: images by the read-only part of the OCI distribution API,
 * and every other file by its path in the bundle. The first bundle that has it answers.
 *
 * @param say - is called for what no bundle has
 */
export function answerFrom(bundles: readonly Contents[], say: (line: string) => void): RequestListener {
    return (request, response) => {
        const { method = "", url = "/" } = request;
        if (method !== "GET" && method !== "HEAD") return refuse(response, 405, "UNSUPPORTED", "read-only");
        const asked = URL.canParse(url, "http://bundle") ? new URL(url, "http://bundle") : undefined;
        if (asked === undefined) return refuse(response, 400, "UNSUPPORTED", "invalid URL");
        if (/^\/v2\/?$/.test(asked.pathname)) {
            response.writeHead(200, { ...registryVersion, "content-type": "application/json", "content-length": 2 });
            return response.end(method === "HEAD" ? undefined : "{}");
        }
        const found = find(bundles, asked);
        if (found === undefined) {
            say(`not in the bundle: ${asked.pathname}${asked.search}`);
            return refuse(response, 404, "NOT_FOUND", "not in the bundle");
        }
        return send(request, response, found);
    };
}

interface Found {
    readonly archive: FileHandle;
    readonly place: Place;
    readonly headers: Readonly<Record<string, string>>;
}

function find(bundles: readonly Contents[], { pathname, searchParams }: URL): Found | undefined {
    const [, repository, kind, reference] = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(pathname) ?? [];
    for (const { bundle, manifests } of bundles) {
        const { handle: archive, places } = bundle;
        if (repository === undefined || reference === undefined) {
            const place = places.get(pathname.slice(1));
            if (place) return { archive, place, headers: { "content-type": "application/octet-stream" } };
        } else if (kind === "blobs") {
            const place = places.get(blobPath(reference));
            const headers = { ...registryVersion, "docker-content-digest": reference };
            if (place) return { archive, place, headers: { ...headers, "content-type": "application/octet-stream" } };
        } else {
            const found = manifestOf(manifests, repository, reference, searchParams.get("ns"));
            const place = found && places.get(blobPath(found.digest));
            const headers = { ...registryVersion, "content-type": found?.mediaType ?? "" };
            if (place) return { archive, place, headers: { ...headers, "docker-content-digest": found.digest } };
        }
    }
    return undefined;
}

/** containerd names the registry of an image in `ns`; other clients name none. */
function manifestOf(manifests: Contents["manifests"], repository: string, reference: string, registry: string | null) {
    if (reference.startsWith("sha256:")) return manifests.get(reference);
    const name = `${repository}:${reference}`;
    if (registry !== null) return manifests.get(`${registry}/${name}`);
    return manifests.get(name) ?? [...manifests].find(([each]) => each.replace(/^[^/]+\//, "") === name)?.[1];
}

function send(request: IncomingMessage, response: ServerResponse, { archive, place, headers }: Found): void {
    const { start, size } = place;
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    const first = from === undefined ? 0 : Number(from);
    const last = to ? Math.min(Number(to), size - 1) : size - 1;
    if (from !== undefined && (first >= size || last < first)) {
        response.writeHead(416, { "content-range": `bytes */${size}` });
        response.end();
        return;
    }
    const part = from === undefined ? {} : { "content-range": `bytes ${first}-${last}/${size}` };
    const sizes = { "accept-ranges": "bytes", "content-length": last - first + 1, ...part };
    response.writeHead(from === undefined ? 200 : 206, { ...headers, ...sizes });
    if (request.method === "HEAD" || size === 0) {
        response.end();
        return;
    }
    const bytes = bytesAt(archive, start + first, last - first + 1);
    pipeline(Readable.from(bytes, { objectMode: false }), response).catch(() => response.destroy());
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
    const body = JSON.stringify({ errors: [{ code, message }] });
    response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
    response.end(body);
}
