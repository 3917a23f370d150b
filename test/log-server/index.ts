import { once } from "node:events";
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from "node:net";
import { createServer as createTls } from "node:tls";
import { gunzipSync } from "node:zlib";
import { exportedLogs, type LogRecord } from "./otlp";
import { parseSyslog, takeFrames } from "./syslog";

interface LogServerOptions {
    readonly protocol: "otlp" | "syslog";
    /** PEM of its certificate and key. @default - no TLS */
    readonly tls?: { readonly cert: string; readonly key: string };
    readonly address?: string;
}

/** A server that keeps the logs sent to it. It can stop, and start again on the same port. */
export class LogServer {
    readonly records: LogRecord[] = [];
    /** Headers of the last request. */
    headers: Readonly<Record<string, unknown>> = {};
    #server?: Server;
    readonly #sockets = new Set<Socket>();
    #port = 0;

    constructor(private readonly options: LogServerOptions) {}

    get port(): number {
        return this.#port;
    }

    async start(): Promise<void> {
        const server = this.#create();
        this.#server = server;
        server.on("connection", (socket: Socket) => {
            this.#sockets.add(socket);
            socket.on("close", () => this.#sockets.delete(socket));
        });
        server.listen(this.#port, this.options.address ?? "127.0.0.1");
        await once(server, "listening");
        this.#port = (server.address() as AddressInfo).port;
    }

    async stop(): Promise<void> {
        const server = this.#server;
        if (server === undefined) return;
        this.#server = undefined;
        const closed = once(server, "close");
        server.close();
        for (const socket of this.#sockets) socket.destroy();
        await closed;
    }

    #create(): Server {
        const { protocol, tls } = this.options;
        if (protocol === "otlp") {
            const answer = (request: IncomingMessage, response: ServerResponse) => void this.#answer(request, response);
            return tls ? createHttps(tls, answer) : createHttp(answer);
        }
        const take = (socket: Socket) => {
            let rest: Buffer = Buffer.alloc(0);
            socket.on("error", () => {});
            socket.on("data", (data: Buffer) => {
                const taken = takeFrames(Buffer.concat([rest, data]));
                rest = taken.rest;
                this.records.push(...taken.frames.map(parseSyslog));
            });
        };
        return tls ? createTls(tls, take) : createTcp(take);
    }

    async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
        const chunks: Buffer[] = [];
        try {
            for await (const chunk of request) chunks.push(chunk as Buffer);
        } catch {
            return;
        }
        const body = Buffer.concat(chunks);
        if (!request.url?.endsWith("/v1/logs")) {
            response.writeHead(404).end();
            return;
        }
        this.headers = request.headers;
        this.records.push(...exportedLogs(request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body));
        response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
    }
}
