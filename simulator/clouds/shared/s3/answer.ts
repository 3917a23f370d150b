import { createHash } from "node:crypto";
import { type Answer, type Asked, type Caller, isCaller, type Unsigned } from "../../services/service";

/** An operation on an object, or on the list of objects. */
export type S3Action = "s3:GetObject" | "s3:PutObject" | "s3:DeleteObject" | "s3:ListBucket";

/** Buckets as seen by a caller. */
export interface Store {
    readonly region: string;
    /** Whether a bucket of this name exists. */
    readonly hasBucket: (bucket: string) => boolean;
    /** Whether the caller may perform the operation; listing applies to the bucket, or to keys with a prefix. */
    readonly may: (
        action: S3Action,
        bucket: string,
        of?: { readonly key?: string; readonly prefix?: string },
    ) => boolean;
    readonly read: (bucket: string, key: string) => Buffer | undefined;
    readonly write: (bucket: string, key: string, body: Buffer) => void;
    readonly remove: (bucket: string, key: string) => void;
    readonly keys: (bucket: string) => readonly string[];
}

const statuses: Readonly<Record<string, number>> = {
    InvalidRange: 416,
    MethodNotAllowed: 405,
    NoSuchBucket: 404,
    NoSuchKey: 404,
};

/**
 * Responses of an S3-compatible store, as far as Ignition, curl and the etcd-keeper use it: objects in one request
 * each, and lists of them.
 *
 * @param endpoint - host name of the store, which a bucket's name may precede
 */
export function s3Answer(asked: Asked, store: Store, caller: Caller | Unsigned, endpoint: RegExp): Answer {
    const { method } = asked;
    const { bucket, key } = placeOf(asked, endpoint);
    if (bucket === "" || !store.hasBucket(bucket)) return refused("NoSuchBucket", store);
    // S3 reveals the region of a bucket to everyone.
    const isPublic = method === "GET" && key !== "" && store.may("s3:GetObject", bucket, { key });
    if (!isCaller(caller) && !(isPublic && caller.problem === undefined))
        return refused(caller.problem ?? "AccessDenied", store);
    const prefix = new URLSearchParams(asked.query).get("prefix") ?? undefined;
    const mayList = store.may("s3:ListBucket", bucket, { prefix });
    if (key === "") {
        if (!mayList) return refused("AccessDenied", store);
        if (method === "HEAD") return { status: 200, headers: headersOf(store) };
        return method === "GET" ? listing(bucket, store.keys(bucket), asked.query) : refused("MethodNotAllowed", store);
    }
    switch (method) {
        case "GET":
        case "HEAD": {
            if (!store.may("s3:GetObject", bucket, { key })) return refused("AccessDenied", store);
            const content = store.read(bucket, key);
            // Without permission to list, a missing object is not reported as missing.
            return content ? object(content, asked, store) : refused(mayList ? "NoSuchKey" : "AccessDenied", store);
        }
        case "PUT":
            if (!store.may("s3:PutObject", bucket, { key })) return refused("AccessDenied", store);
            store.write(bucket, key, asked.body);
            return { status: 200, headers: { etag: etagOf(asked.body) } };
        case "DELETE":
            if (!store.may("s3:DeleteObject", bucket, { key })) return refused("AccessDenied", store);
            store.remove(bucket, key);
            return { status: 204 };
        default:
            return refused("MethodNotAllowed", store);
    }
}

/** Bucket and key of a request, which has the bucket's name in its host or path. */
function placeOf({ host, path }: Pick<Asked, "host" | "path">, endpoint: RegExp): { bucket: string; key: string } {
    const named = host.replace(endpoint, "").replace(/\.$/, "");
    const words = path.slice(1).split("/").map(decodeURIComponent);
    const [bucket = "", ...rest] = named === "" ? words : [named, ...words];
    return { bucket, key: rest.join("/") };
}

function object(content: Buffer, { headers }: Asked, store: Store): Answer {
    const common = { ...headersOf(store), etag: etagOf(content), "accept-ranges": "bytes" };
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? "") ?? [];
    if (from === undefined) return { status: 200, headers: common, body: content };
    const first = Number(from);
    if (first >= content.length) return refused("InvalidRange", store);
    const last = Math.min(to ? Number(to) : content.length, content.length - 1);
    const range = `bytes ${first}-${last}/${content.length}`;
    return { status: 206, headers: { ...common, "content-range": range }, body: content.subarray(first, last + 1) };
}

function etagOf(content: Buffer): string {
    return `"${createHash("md5").update(content).digest("hex")}"`;
}

function headersOf({ region }: Store): Record<string, string> {
    return { "x-amz-bucket-region": region };
}

function refused(code: string, store: Store): Answer {
    const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${code}</Message></Error>`;
    const headers = { "content-type": "application/xml", ...(code === "NoSuchBucket" ? {} : headersOf(store)) };
    return { status: statuses[code] ?? 403, headers, body };
}

const mostKeys = 1000;

/** A page of the keys that begin with a prefix, sorted (ListObjectsV2). */
function listing(bucket: string, keys: readonly string[], query: string): Answer {
    const asked = new URLSearchParams(query);
    const [prefix, after] = [asked.get("prefix") ?? "", asked.get("continuation-token") ?? ""];
    const most = Math.min(Number(asked.get("max-keys") ?? mostKeys), mostKeys);
    const shown = (key: string) => (asked.get("encoding-type") === "url" ? encodeURIComponent(key) : escaped(key));
    const all = keys.filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = all.slice(0, most);
    const next = all.length > page.length ? page.at(-1) : undefined;
    const lines = [
        `<Name>${bucket}</Name><Prefix>${shown(prefix)}</Prefix><KeyCount>${page.length}</KeyCount>`,
        `<MaxKeys>${most}</MaxKeys><IsTruncated>${next !== undefined}</IsTruncated>`,
        ...(next === undefined ? [] : [`<NextContinuationToken>${escaped(next)}</NextContinuationToken>`]),
        ...page.map((key) => `<Contents><Key>${shown(key)}</Key></Contents>`),
    ];
    const result = `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${lines.join("")}</ListBucketResult>`;
    const headers = { "content-type": "application/xml" };
    return { status: 200, headers, body: `<?xml version="1.0" encoding="UTF-8"?>\n${result}` };
}

function escaped(text: string): string {
    return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
