import http2 from "node:http2";

/** A connection handled like in Go's HTTP/2 transport: on GOAWAY new requests use a new one, open ones finish. */
export class Http2Connection {
    #session?: http2.ClientHttp2Session;

    constructor(
        readonly authority: string,
        readonly options: http2.SecureClientSessionOptions,
        readonly headers: Readonly<Record<string, string>> = {},
    ) {}

    request(path: string, more: http2.OutgoingHttpHeaders = {}): http2.ClientHttp2Stream {
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
        return this.#session.request({ ":path": path, ...this.headers, ...more });
    }

    close(): void {
        this.#session?.destroy();
    }
}

/**
 * Waits for the end of a stream and resolves to its status. A stream may close without a response and without an error,
 * such as when its session closes: that is an error here.
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

/** A stream that the server did not process: Go's transport retries it automatically. */
export function wasRefused(stream: http2.ClientHttp2Stream): boolean {
    return stream.rstCode === http2.constants.NGHTTP2_REFUSED_STREAM;
}
