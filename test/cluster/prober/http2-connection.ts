import http2 from "node:http2";

/** A connection as Go's HTTP/2 transport keeps it: on GOAWAY new requests go over a new one, open ones finish. */
export class Http2Connection {
    #session?: http2.ClientHttp2Session;

    constructor(
        readonly authority: string,
        readonly options: http2.SecureClientSessionOptions,
        readonly headers: Readonly<Record<string, string>> = {},
    ) {}

    request(path: string): http2.ClientHttp2Stream {
        if (!this.#session || this.#session.closed || this.#session.destroyed) {
            const session = http2.connect(this.authority, this.options);
            session.on("error", () => {});
            session.on("goaway", () => {
                if (this.#session === session) {
                    this.#session = undefined;
                }
                session.close();
            });
            this.#session = session;
        }
        return this.#session.request({ ":path": path, ...this.headers });
    }

    close(): void {
        this.#session?.destroy();
    }
}

/**
 * Waits for the end of a stream and resolves to the status it had. A stream may close without an answer and without
 * an error, as when its session goes: that is an error here.
 */
export function statusOf(stream: http2.ClientHttp2Stream): Promise<number> {
    return new Promise((resolve, reject) => {
        let status: number | undefined;
        stream.once("response", (headers) => {
            status = headers[":status"];
            stream.resume();
        });
        stream.on("error", reject);
        stream.once("close", () => {
            if (stream.rstCode !== http2.constants.NGHTTP2_NO_ERROR) {
                reject(new Error(`stream reset with ${stream.rstCode}`));
            } else if (status === undefined) {
                reject(new Error("stream closed without an answer"));
            } else {
                resolve(status);
            }
        });
    });
}

/** A stream that the server says it did not process: Go's transport sends it again by itself. */
export function wasRefused(stream: http2.ClientHttp2Stream): boolean {
    return stream.rstCode === http2.constants.NGHTTP2_REFUSED_STREAM;
}
