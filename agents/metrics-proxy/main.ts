import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { Socket } from "node:net";
import { accountClient } from "../../clients/kubernetes/api-client";
import { runAgent } from "../harness/main";
import { InvalidPlan, readPlan } from "../harness/plan";
import { Listeners } from "./listeners";
import { Permission } from "./permission";
import { planSchema } from "./plan";
import { MetricsProxy } from "./proxy";
import { relay } from "./relay";
import { plainAddress, Sources } from "./sources";

async function main(path = ""): Promise<never> {
    const { apiServer, port, certificate, sources } = readPlan(path, planSchema);
    const { HOST_IP: host = "" } = process.env;
    if (host === "") throw new InvalidPlan("HOST_IP must be the node's address");
    const listeners = new Listeners();
    const permission = new Permission(accountClient(apiServer, "tradewind-metrics-proxy"));
    const proxy = new MetricsProxy({ sources, listeners, permission, log: console.log });
    const tls = { cert: readFileSync(certificate.cert), key: readFileSync(certificate.key) };
    // Prometheus needs milliseconds for each of these.
    const limits = {
        handshakeTimeout: 5_000,
        headersTimeout: 5_000,
        requestTimeout: 20_000,
        keepAliveTimeout: 5_000,
        // By default, Node looks for connections that exceed these limits every half minute.
        connectionsCheckingInterval: 1_000,
    };
    const server = createServer({ ...tls, ...limits }, (request, response) => {
        void proxy.handle(request, response);
    });
    const connections = new Sources(host);
    server.on("connection", (socket: Socket) => {
        const end = connections.accept(plainAddress(socket.remoteAddress));
        if (end) socket.once("close", end);
        else socket.destroy();
    });
    server.listen(port, host);
    await once(server, "listening");
    console.log(`serving metrics of ${Object.keys(sources).join(", ")} at ${host}:${port}`);
    for (const source of Object.values(sources)) if ("port" in source) void relay(source, listeners, console.log);
    const [error] = await once(server, "error");
    throw error;
}

runAgent(main, { onSignal: "nothing is left to do" });
