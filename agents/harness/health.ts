import { createServer, type Server } from "node:http";
import { describeError } from "../../clients/kubernetes/api-error";
import { type Metric, metricsText, metricsType } from "./metrics";

/** Answers to the kubelet's probes. Undefined means healthy. */
export interface Health {
    readonly live: () => string | undefined;
    readonly ready: () => string | undefined;
    /** @default none */
    readonly metrics?: () => readonly Metric[];
}

/** Answers `/livez`, `/readyz` and `/metrics` on 127.0.0.1. */
export function serveHealth(port: number, { live, ready, metrics }: Health): Server {
    const server = createServer(async (request, response) => {
        if (request.url === "/metrics" && metrics) {
            try {
                const text = await metricsText(metrics());
                response.writeHead(200, { "content-type": metricsType }).end(text);
            } catch (error) {
                // Without a handler it would end the agent.
                response.writeHead(500).end(`${describeError(error)}\n`);
            }
            return;
        }
        const problem = request.url === "/livez" ? live() : ready();
        response.writeHead(problem === undefined ? 200 : 503).end(`${problem ?? "ok"}\n`);
    });
    return server.listen(port, "127.0.0.1");
}
