import * as http from "node:http";
import * as https from "node:https";
import type { Connection } from "../../../clients/kubernetes/kubeconfig";
import { ApiError, ConnectionError } from "./faults";

export interface Request {
    readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
    readonly path: string;
    readonly query?: Readonly<Record<string, string | undefined>>;
    readonly body?: unknown;
    readonly contentType?: string;
    readonly signal?: AbortSignal;
}

// As many concurrent requests as client-go's default burst allows for a while.
const SOCKETS = 24;
const TIMEOUT_MILLISECONDS = 30_000;

/** One API server over kept-alive connections. */
export class HttpClient {
    private readonly agent: http.Agent;
    private readonly headers: Record<string, string>;

    constructor(private readonly connection: Connection) {
        const { server, ca, certificate, key, isInsecure, serverName, token, basic } = connection;
        const options = { keepAlive: true, maxSockets: SOCKETS, scheduling: "lifo" as const };
        this.agent = server.startsWith("https:")
            ? new https.Agent({
                  ...options,
                  ca,
                  cert: certificate,
                  key,
                  rejectUnauthorized: !isInsecure,
                  ...(serverName && { servername: serverName }),
              })
            : new http.Agent(options);
        this.headers = { accept: "application/json", "user-agent": "tradewind-pulumi-kubernetes" };
        if (token) this.headers.authorization = `Bearer ${token}`;
        else if (basic) this.headers.authorization = `Basic ${Buffer.from(basic).toString("base64")}`;
    }

    /** The response's JSON. @throws {ApiError} for an error response, {@link ConnectionError} for none */
    async send(request: Request, timeout = TIMEOUT_MILLISECONDS): Promise<unknown> {
        request.signal?.throwIfAborted();
        const { status, headers, text } = await this.exchange(request, timeout);
        const body = parseBody(text);
        if (status < 200 || status > 299) {
            const retryAfter = headers["retry-after"];
            throw new ApiError(status, body, retryAfter ? Number(retryAfter) : undefined);
        }
        return body;
    }

    close(): void {
        this.agent.destroy();
    }

    private exchange({ method, path, query = {}, body, contentType, signal }: Request, timeout: number) {
        const { server } = this.connection;
        const url = new URL(server + path);
        for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
        const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
        const headers: http.OutgoingHttpHeaders = { ...this.headers };
        if (payload) {
            headers["content-type"] = contentType ?? "application/json";
            headers["content-length"] = payload.length;
        }
        const { request: open } = url.protocol === "https:" ? https : http;
        return new Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }>((resolve, reject) => {
            let wasSent = false;
            const fail = (error: Error) =>
                reject(signal?.aborted ? signal.reason : new ConnectionError(error, server, wasSent));
            const outgoing = open(url, { method, headers, agent: this.agent, timeout, signal }, (response) => {
                const chunks: Buffer[] = [];
                response.on("data", (chunk: Buffer) => chunks.push(chunk));
                response.on("error", fail);
                response.on("end", () => {
                    const text = Buffer.concat(chunks).toString("utf8");
                    resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
                });
            });
            outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer within ${timeout / 1000} s`)));
            outgoing.on("error", fail);
            outgoing.on("finish", () => {
                wasSent = true;
            });
            outgoing.end(payload);
        });
    }
}

function parseBody(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return text.trim();
    }
}
