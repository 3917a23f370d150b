import { createServer } from "node:http";

/** Answers to the kubelet's probes. Undefined means healthy. */
export interface Health {
    readonly live: () => string | undefined;
    readonly ready: () => string | undefined;
}

/** Answers `/livez` and `/readyz` on 127.0.0.1. */
export function serveHealth(port: number, health: Health): void {
    const server = createServer((request, response) => {
        const problem = request.url === "/livez" ? health.live() : health.ready();
        response.writeHead(problem === undefined ? 200 : 503).end(`${problem ?? "ok"}\n`);
    });
    server.listen(port, "127.0.0.1");
}
