import { createHash } from "node:crypto";
import { request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { ownAgent } from "../http";
import { describeError } from "../kubernetes/api-error";
import { type AwsCredentials, signedHeaders } from "./query";
import { element, refusal, unescaped } from "./xml";

interface BucketOptions {
    /** `https://s3.example.com`, without the bucket. */
    readonly endpoint: string;
    readonly region: string;
    readonly bucket: string;
    /** Called before every request, because credentials may be renewed. */
    readonly readCredentials: () => AwsCredentials | Promise<AwsCredentials>;
}

/** Content to store. It may be read several times, always with the same result. */
export interface Content {
    readonly open: () => Readable;
    /** Bytes. */
    readonly size: number;
    /** In hexadecimal. */
    readonly sha256: string;
}

/** The store refused a request or could not be reached. */
export class S3Error extends Error {
    override readonly name = "S3Error";
}

/** Idle timeout of a connection in milliseconds. */
const idleMilliseconds = 60_000;

/** How long a store may take to refuse a request after receiving its headers. */
const continueMilliseconds = 1_000;

/** A bucket of an S3-compatible store, with its name in the path, which every store supports. */
export class Bucket {
    readonly #options: BucketOptions;

    constructor(options: BucketOptions) {
        this.#options = options;
    }

    /** Uploads in one request, for which stores accept up to 5 GiB. The signature includes the hash, which the store verifies. */
    async put(key: string, content: Content): Promise<void> {
        try {
            await text(await this.#ask("PUT", `/${key}`, content));
        } catch (error) {
            // A store that refuses early may close the connection before its response is read. A list request gets the response.
            if ((error as Error).cause) {
                await this.list(key);
            }
            throw error;
        }
    }

    async putText(key: string, value: string): Promise<void> {
        const bytes = Buffer.from(value);
        await this.put(key, { open: () => Readable.from([bytes]), size: bytes.length, sha256: sha256(bytes) });
    }

    get(key: string): Promise<Readable> {
        return this.#ask("GET", `/${key}`);
    }

    /** Removing a missing object is not an error. */
    async remove(key: string): Promise<void> {
        await text(await this.#ask("DELETE", `/${key}`));
    }

    /** All keys with this prefix. */
    async list(prefix: string): Promise<string[]> {
        const keys: string[] = [];
        for (let token: string | undefined, isLast = false; !isLast; isLast = token === undefined) {
            const query = new URLSearchParams({ "list-type": "2", "encoding-type": "url", prefix });
            if (token !== undefined) {
                query.set("continuation-token", token);
            }
            const page = listed(await text(await this.#ask("GET", `?${query}`)));
            keys.push(...page.keys);
            token = page.next;
        }
        return keys;
    }

    async #ask(method: string, path: string, content?: Content): Promise<IncomingMessage> {
        const { endpoint, bucket, region, readCredentials } = this.#options;
        const { protocol, hostname, port, host } = new URL(endpoint);
        const options: RequestOptions = {
            method,
            hostname,
            port,
            path: `/${bucket}${path}`,
            timeout: idleMilliseconds,
            agent: ownAgent(endpoint),
            headers: {
                host,
                "x-amz-content-sha256": content?.sha256 ?? sha256(""),
                ...(content && { "content-length": content.size, expect: "100-continue" }),
            },
        };
        const headers = signedHeaders(options, { service: "s3", region }, await readCredentials());
        const what = `${method} ${endpoint}/${bucket}${path.replace(/\?.*/, "")}`;
        const request = protocol === "https:" ? httpsRequest : httpRequest;
        const answer = await send(request, { ...options, headers }, content).catch((error) => {
            throw new S3Error(`${what}: ${describeError(error)}`, { cause: error });
        });
        const { statusCode = 0 } = answer;
        if (statusCode < 200 || statusCode > 299) {
            throw new S3Error(`${what}: ${statusCode} ${refusal(await text(answer))}`);
        }
        return answer;
    }
}

function send(request: typeof httpRequest, options: RequestOptions, content?: Content): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
        const sent = request(options, resolve);
        sent.on("timeout", () => sent.destroy(new Error(`no byte for ${idleMilliseconds / 1000} s`)));
        sent.on("error", reject);
        if (content === undefined) {
            sent.end();
            return;
        }
        // Content is only sent if the headers are accepted. Some stores never send "continue".
        const begin = once(() => pipeline(content.open(), sent).catch(reject));
        const timer = setTimeout(begin, continueMilliseconds);
        sent.on("continue", begin);
        sent.on("response", () => clearTimeout(timer));
        sent.on("close", () => clearTimeout(timer));
        sent.flushHeaders();
    });
}

function once(action: () => void): () => void {
    let isDone = false;
    return () => {
        if (!isDone) {
            isDone = true;
            action();
        }
    };
}

function sha256(data: string | Buffer): string {
    return createHash("sha256").update(data).digest("hex");
}

interface Page {
    readonly keys: readonly string[];
    /** Token of the next page, if any. */
    readonly next?: string;
}

/** A page of a ListObjectsV2 response with `encoding-type=url`: keys contain no characters that XML escapes. */
export function listed(xml: string): Page {
    const keys = [...xml.matchAll(/<Contents>.*?<Key>([^<]*)<\/Key>.*?<\/Contents>/gs)].map(([, key]) =>
        decodeURIComponent(key!.replaceAll("+", " ")),
    );
    const isTruncated = element(xml, "IsTruncated") === "true";
    return { keys, ...(isTruncated && { next: unescaped(element(xml, "NextContinuationToken") ?? "") }) };
}
