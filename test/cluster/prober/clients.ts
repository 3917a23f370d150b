import { once } from "node:events";
import http2 from "node:http2";
import https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { Counter } from "./tally";

export interface Target {
    readonly host: string;
    readonly port: number;
    readonly ca: string;
    /** A client certificate, or a bearer token. */
    readonly identity: { readonly cert: string; readonly key: string } | { readonly token: string };
    readonly path: string;
}

/** A request that answers later than this has failed. Unit: milliseconds. */
const timeout = 10_000;

const tls = ({ ca, identity }: Target) => ({ ca, ...("cert" in identity && identity) });
const headers = ({ identity }: Target): Record<string, string> =>
    "token" in identity ? { authorization: `Bearer ${identity.token}` } : {};

/** One request over a connection of its own: as a new client, or kubectl, makes it. */
export async function newConnections(
    target: Target,
    counter: Counter,
    interval: number,
    signal: AbortSignal,
): Promise<void> {
    while (!signal.aborted) {
        await http1(target, counter, false);
        await sleep(interval);
    }
}

/** HTTP/1.1 requests over a kept connection, which no server can close without a race. */
export async function keepAlive(
    target: Target,
    counter: Counter,
    interval: number,
    signal: AbortSignal,
): Promise<void> {
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    while (!signal.aborted) {
        await http1(target, counter, agent);
        await sleep(interval);
    }
    agent.destroy();
}

async function http1(target: Target, counter: Counter, agent: https.Agent | false): Promise<void> {
    const { host, port, path } = target;
    try {
        const status = await new Promise<number>((resolve, reject) => {
            const request = https.get(
                { host, port, path, agent, timeout, headers: headers(target), ...tls(target) },
                (response) => {
                    response.on("error", reject);
                    response.on("end", () => resolve(response.statusCode ?? 0));
                    response.resume();
                },
            );
            request.on("timeout", () => request.destroy(new Error(`no answer in ${timeout} ms`)));
            request.on("error", reject);
        });
        count(status, counter);
    } catch (error) {
        counter.failed((error as Error).message);
    }
}

function count(status: number, counter: Counter): void {
    if (status === 200) {
        counter.ok();
    } else {
        counter.failed(`HTTP ${status}`);
    }
}

/** A connection as Go's HTTP/2 transport keeps it: on GOAWAY new requests go over a new one, open ones finish. */
class Http2Connection {
    #session?: http2.ClientHttp2Session;

    constructor(readonly target: Target) {}

    request(path: string): http2.ClientHttp2Stream {
        if (!this.#session || this.#session.closed || this.#session.destroyed) {
            const session = http2.connect(`https://${this.target.host}:${this.target.port}`, tls(this.target));
            session.on("error", () => {});
            session.on("goaway", () => {
                if (this.#session === session) {
                    this.#session = undefined;
                }
                session.close();
            });
            this.#session = session;
        }
        return this.#session.request({ ":path": path, ...headers(this.target) });
    }

    close(): void {
        this.#session?.destroy();
    }
}

/** A stream that the server says it did not process: Go's transport sends it again by itself. */
function wasRefused(stream: http2.ClientHttp2Stream): boolean {
    return stream.rstCode === http2.constants.NGHTTP2_REFUSED_STREAM;
}

/** Requests over one kept HTTP/2 connection, as client-go makes them. */
export async function http2Requests(
    target: Target,
    counter: Counter,
    interval: number,
    signal: AbortSignal,
): Promise<void> {
    const connection = new Http2Connection(target);
    while (!signal.aborted) {
        const stream = connection.request(target.path);
        stream.setTimeout(timeout, () => stream.destroy(new Error(`no answer in ${timeout} ms`)));
        try {
            const [response] = await once(stream, "response");
            stream.resume();
            await once(stream, "close");
            if (stream.rstCode !== 0) {
                throw new Error(`stream reset with ${stream.rstCode}`);
            }
            count(response[":status"], counter);
        } catch (error) {
            if (!wasRefused(stream)) {
                counter.failed(`${(error as Error).message} (${stream.rstCode})`);
            }
        }
        await sleep(interval);
    }
    connection.close();
}

/** A watch that is opened again whenever it ends; it fails if it cannot be opened or is cut in the middle. */
export async function watch(target: Target, counter: Counter, signal: AbortSignal): Promise<void> {
    const connection = new Http2Connection(target);
    while (!signal.aborted) {
        const stream = connection.request(`${target.path}?watch=true&timeoutSeconds=20`);
        const abort = () => stream.close();
        signal.addEventListener("abort", abort);
        try {
            // At the end one may still be without an answer.
            const [response] = await once(stream, "response", { signal });
            stream.resume();
            await once(stream, "close");
            if (stream.rstCode !== 0 && !signal.aborted) {
                throw new Error(`watch cut with ${stream.rstCode}`);
            }
            count(response[":status"], counter);
        } catch (error) {
            if (!wasRefused(stream) && !signal.aborted) {
                counter.failed(`${(error as Error).message} (${stream.rstCode})`);
            }
        }
        signal.removeEventListener("abort", abort);
        await sleep(5);
    }
    connection.close();
}
