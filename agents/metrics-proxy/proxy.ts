import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { request as httpsRequest } from "node:https";
import { pipeline } from "node:stream";
import { describeError } from "../../clients/kubernetes/api-error";
import { type Metric, metricsText, metricsType } from "../harness/metrics";
import type { Listeners } from "./listeners";
import type { Permission } from "./permission";
import type { MetricsProxyPlan } from "./plan";
import { plainAddress } from "./sources";

interface ProxyOptions {
    readonly sources: MetricsProxyPlan["sources"];
    readonly listeners: Pick<Listeners, "find">;
    readonly permission: Pick<Permission, "check">;
    readonly log: (line: string) => void;
}

/** Prometheus' own default is 10 s. */
const timeoutMilliseconds = 10_000;

const reasons = {
    401: "a valid bearer token is required",
    403: "needs get on /metrics",
    429: "too many reviews",
} as const;

/** Answers `/metrics/<source>` to clients with permission, and `/livez` to all. */
export class MetricsProxy {
    readonly #options: ProxyOptions;
    /** Answers by source and status. */
    readonly #answered = new Map<string, number>();
    #problem = "";

    constructor(options: ProxyOptions) {
        this.#options = options;
    }

    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
        const path = request.url?.split("?")[0] ?? "";
        if (path === "/livez") return void response.writeHead(200).end("ok\n");
        const [, source = ""] = /^\/metrics(?:\/([a-z-]+))?$/.exec(path) ?? [];
        const known = Object.hasOwn(this.#options.sources, source) ? source : "";
        response.on("finish", () => this.#count(known, response.statusCode));
        try {
            const verdict = await this.#options.permission.check(
                request.headers.authorization,
                plainAddress(request.socket?.remoteAddress),
            );
            if (verdict !== 200) return end(response, verdict, reasons[verdict]);
            if (request.method !== "GET") return end(response, 405, "only GET is allowed");
            if (path === "/metrics") {
                response.writeHead(200, { "content-type": metricsType }).end(await metricsText(this.metrics()));
                return;
            }
            if (known === "")
                return end(response, 404, `the sources are ${Object.keys(this.#options.sources).join(", ")}`);
            await this.#forward(known, request, response);
        } catch (error) {
            const problem = `${known || "API"}: ${describeError(error)}`;
            if (problem !== this.#problem) this.#options.log(problem);
            this.#problem = problem;
            end(response, 503, describeError(error));
        }
    }

    metrics(): Metric[] {
        const samples = [...this.#answered].map(([key, value]) => {
            const [source = "", code = ""] = key.split(" ");
            return { labels: { source, code }, value };
        });
        return [
            {
                name: "tradewind_metrics_proxy_requests_total",
                help: "Answered requests by source and HTTP status; other paths have no source.",
                type: "counter",
                samples,
            },
        ];
    }

    async #forward(source: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
        const { sources, listeners } = this.#options;
        const place = sources[source]!;
        const { accept, authorization } = request.headers;
        const headers = { accept, "accept-encoding": request.headers["accept-encoding"] };
        if ("url" in place) return forward(httpRequest(place.url, { headers: defined(headers) }), response);
        const host = await listeners.find(place);
        if (host === undefined) return end(response, 503, `${source} does not run on this node`);
        // It checks the client's permission itself. Its certificate is its own; the kernel reported whose process it is.
        const options = { headers: defined({ ...headers, authorization }), rejectUnauthorized: false };
        return forward(httpsRequest(`https://${host}:${place.port}/metrics`, options), response);
    }

    #count(source: string, status: number): void {
        const key = `${source} ${status}`;
        this.#answered.set(key, (this.#answered.get(key) ?? 0) + 1);
    }
}

function defined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string | string[]> {
    const given = Object.entries(headers).filter(([, value]) => value !== undefined);
    return Object.fromEntries(given) as Record<string, string | string[]>;
}

function forward(sent: ReturnType<typeof httpRequest>, response: ServerResponse): Promise<void> {
    return new Promise((resolve, reject) => {
        sent.setTimeout(timeoutMilliseconds, () => sent.destroy(new Error(`no answer for ${timeoutMilliseconds} ms`)));
        sent.on("error", reject);
        sent.on("response", (answer) => {
            const { "content-type": type, "content-encoding": encoding } = answer.headers;
            response.writeHead(
                answer.statusCode ?? 502,
                defined({ "content-type": type, "content-encoding": encoding }),
            );
            pipeline(answer, response, () => resolve());
        });
        sent.end();
    });
}

function end(response: ServerResponse, status: number, reason: string): void {
    if (response.headersSent) {
        response.destroy();
        return;
    }
    response.writeHead(status, { "content-type": "text/plain" }).end(`${reason}\n`);
}
