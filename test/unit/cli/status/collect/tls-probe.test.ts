import assert from "node:assert/strict";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { failed, probeTls, servingOf } from "../../../../../cli/status/collect/tls-probe";
import { certificates } from "../../../agents/boot/bootstrap/certificates";

const host = "127.0.0.1";

describe("a TLS probe", () => {
    const servers: Server[] = [];
    const sockets: Socket[] = [];

    /** Listens on a free port. */
    async function listen<S extends Server>(server: S): Promise<number> {
        servers.push(server);
        server.on("connection", (socket) => sockets.push(socket));
        server.listen(0, host);
        await once(server, "listening");
        return (server.address() as AddressInfo).port;
    }

    const serve = (answer: RequestListener) => {
        const { cert, key } = certificates().server;
        return listen(createHttpsServer({ cert, key }, answer));
    };

    afterEach(() => {
        for (const socket of sockets.splice(0)) {
            socket.destroy();
        }
        for (const server of servers.splice(0)) {
            server.close();
        }
    });

    it("reports that a server is ready, the expiry of its certificate, and its clock", async () => {
        const port = await serve((_, response) => response.end("ok"));
        const { serving, notAfter, clock } = await probeTls({ host, port, ca: certificates().ca, path: "/readyz" });
        assert.deepEqual(serving, { value: { isReady: true, detail: "ready" } });
        assert("value" in notAfter && Date.parse(notAfter.value) > Date.now());
        assert(Math.abs(clock! - Date.now()) < 5_000);
    });

    it("reports failed checks", async () => {
        const port = await serve((_, response) => {
            response.writeHead(500);
            response.end("[+]ping ok\n[-]etcd failed: reason withheld\n[-]shutdown failed\n");
        });
        const { serving } = await probeTls({ host, port, path: "/readyz" });
        assert.deepEqual(serving, { value: { isReady: false, detail: "not ready: etcd, shutdown" } });
    });

    it("sends no request to a server with a certificate of another CA, but still reports its expiry", async () => {
        let asked = 0;
        const port = await serve((_, response) => {
            asked++;
            response.end();
        });
        const { cert: ca } = certificates().stranger;
        const { serving, notAfter } = await probeTls({ host, port, ca, path: "/readyz" });
        assert("value" in serving && !serving.value.isReady);
        assert.match(serving.value.detail, /^its certificate is not trusted: /);
        assert("value" in notAfter);
        assert.equal(asked, 0);
    });

    it("detects a server that accepts connections but hangs", async () => {
        const silent = await listen(createServer(() => undefined));
        const mute = await serve(() => undefined);
        for (const port of [silent, mute]) {
            const { serving } = await probeTls({ host, port, path: "/readyz", timeoutMilliseconds: 200 });
            assert.deepEqual(serving, { value: { isReady: false, detail: "no answer within 0.2 s" } });
        }
    });

    it("detects closed and refused connections", async () => {
        const closing = await listen(createServer((socket) => socket.destroy()));
        const gone = createServer();
        const refusing = await listen(gone);
        gone.close();
        assert.deepEqual((await probeTls({ host, port: closing })).serving, {
            value: { isReady: false, detail: "closes connections" },
        });
        const { serving, notAfter } = await probeTls({ host, port: refusing });
        assert.deepEqual(serving, { value: { isReady: false, detail: "refuses connections" } });
        assert.deepEqual(notAfter, { unknown: "refuses connections" });
    });
});

describe("a failed connection", () => {
    it("does not judge a host that cannot be reached from here", () => {
        for (const code of ["EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT", "ENOTFOUND"]) {
            assert("unknown" in failed({ code }), code);
        }
    });
});

describe("a health endpoint", () => {
    it("reports its status without a list of checks", () => {
        assert.deepEqual(servingOf(401, "Unauthorized"), { isReady: false, detail: "answers 401" });
    });
});
