import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createTlsServer, request as tlsRequest } from "node:https";
import type { Server as TcpServer } from "node:net";
import { MetricsProxy } from "../../../../agents/metrics-proxy/proxy";
import { relay } from "../../../../agents/metrics-proxy/relay";
import { freePort } from "../../../free-port";
import { certificates } from "../boot/bootstrap/certificates";

const generation = "127.71.2.3";

describe("the metrics proxy", () => {
    const servers: (Server | TcpServer)[] = [];
    const asked: IncomingMessage["headers"][] = [];
    let url: string;
    let schedulerPort: number;
    let runs: string | undefined;
    let verdict: 200 | 403 | "down";
    let log: string[];

    const start = async (server: Server, port: number, host = "127.0.0.1") => {
        servers.push(server.listen(port, host));
        await once(server, "listening");
    };
    const answer = (text: string) => (request: IncomingMessage, response: import("node:http").ServerResponse) => {
        asked.push(request.headers);
        response.writeHead(200, { "content-type": "text/plain; version=0.0.4", "x-other": "1" }).end(text);
    };
    const get = async (path: string, init: RequestInit = {}) => {
        const found = await fetch(`${url}${path}`, { headers: { authorization: "Bearer good" }, ...init });
        return [found.status, await found.text()] as const;
    };

    before(async () => {
        const [etcdPort, absentPort, proxyPort] = [await freePort(), await freePort(), await freePort()];
        schedulerPort = await freePort();
        await start(createServer(answer("etcd_server_has_leader 1\n")), etcdPort);
        // Generations have certificates of their own making.
        await start(createTlsServer(certificates().stranger, answer("scheduler_x 1\n")), schedulerPort, generation);
        log = [];
        const proxy = new MetricsProxy({
            sources: {
                etcd: { url: `http://127.0.0.1:${etcdPort}/metrics` },
                "etcd-keeper": { url: `http://127.0.0.1:${absentPort}/metrics` },
                "kube-scheduler": { port: schedulerPort, user: 60803 },
            },
            listeners: { find: async () => runs },
            permission: {
                check: async () => {
                    if (verdict === "down") throw new Error("connection refused");
                    return verdict;
                },
            },
            log: (line) => log.push(line),
        });
        await start(
            createServer((request, response) => void proxy.handle(request, response)),
            proxyPort,
        );
        url = `http://127.0.0.1:${proxyPort}`;
    });
    after(() => {
        for (const server of servers) server.close();
    });
    beforeEach(() => {
        runs = generation;
        verdict = 200;
        asked.length = 0;
        log.length = 0;
    });

    it("returns what a component serves, and gives the client's token only to those that check it", async () => {
        assert.deepEqual(await get("/metrics/etcd"), [200, "etcd_server_has_leader 1\n"]);
        assert.equal(asked[0]!.authorization, undefined);
        assert.deepEqual(await get("/metrics/kube-scheduler"), [200, "scheduler_x 1\n"]);
        assert.equal(asked[1]!.authorization, "Bearer good");
    });

    it("answers 503 if the component does not run here", async () => {
        runs = undefined;
        assert.deepEqual(await get("/metrics/kube-scheduler"), [503, "kube-scheduler does not run on this node\n"]);
        const [status] = await get("/metrics/etcd-keeper");
        assert.equal(status, 503);
        await get("/metrics/etcd-keeper");
        assert.equal(log.length, 1, "a lasting problem is logged once");
        assert.match(log[0]!, /^etcd-keeper: .*ECONNREFUSED/);
    });

    it("refuses clients without permission before it says anything else", async () => {
        verdict = 403;
        for (const path of ["/metrics", "/metrics/etcd", "/metrics/unknown", "/"]) {
            assert.deepEqual(await get(path), [403, "needs get on /metrics\n"], path);
        }
        assert.deepEqual(await get("/livez"), [200, "ok\n"]);
        assert.deepEqual(asked, []);
        verdict = "down";
        assert.deepEqual(await get("/metrics/etcd"), [503, "connection refused\n"]);
    });

    it("only knows the sources of its plan, and only GET", async () => {
        for (const path of [
            "/metrics/unknown",
            "/metrics/etcd/health",
            "/metrics/constructor",
            "/health",
            "/metrics/",
        ]) {
            assert.equal((await get(path))[0], 404, path);
        }
        assert.equal((await get("/metrics/etcd", { method: "POST", body: "x" }))[0], 405);
    });

    it("counts its answers", async () => {
        await get("/metrics/etcd");
        const [, text] = await get("/metrics");
        assert.match(text, /^tradewind_metrics_proxy_requests_total\{source="etcd",code="200"\} \d+$/m);
    });

    it("relays 127.0.0.1 to the component, which authenticates clients itself", async () => {
        const server = await relay({ port: schedulerPort, user: 60803 }, { find: async () => runs }, assert.fail);
        servers.push(server);
        const text = () =>
            new Promise<string>((resolve, reject) => {
                const options = {
                    host: "127.0.0.1",
                    port: schedulerPort,
                    path: "/metrics",
                    agent: false,
                    rejectUnauthorized: false,
                };
                const sent = tlsRequest(options, async (found) => {
                    resolve(Buffer.concat(await found.toArray()).toString());
                });
                sent.on("error", reject).end();
            });
        assert.equal(await text(), "scheduler_x 1\n");
        runs = undefined;
        await assert.rejects(text(), /socket|ECONNRESET/);
    });
});
