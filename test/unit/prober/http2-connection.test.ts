import assert from "node:assert/strict";
import { once } from "node:events";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { Http2Connection, statusOf } from "../../cluster/prober/http2-connection";

describe("an HTTP/2 connection of the prober", () => {
    const sessions = new Set<http2.ServerHttp2Session>();
    let server: http2.Http2Server;
    let connection: Http2Connection;

    before(async () => {
        server = http2.createServer();
        server.on("session", (session) => sessions.add(session));
        server.on("stream", (stream, { ":path": path }) => {
            stream.on("error", () => undefined);
            if (path === "/answer") {
                stream.respond({ ":status": 200 });
                stream.end("ok");
            } else if (path === "/cut") {
                stream.respond({ ":status": 200 });
                stream.destroy(new Error("cut"));
            } else if (path === "/end") {
                stream.close(http2.constants.NGHTTP2_NO_ERROR);
            } else if (path === "/die") {
                stream.session?.destroy();
            }
        });
        server.listen(0, "127.0.0.1");
        await once(server, "listening");
        connection = new Http2Connection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {});
    });

    after(() => {
        connection.close();
        server.close();
    });

    it("reports the status of a stream that ended completely", async () => {
        assert.equal(await statusOf(connection.request("/answer")), 200);
        assert.equal(await statusOf(connection.request("/answer")), 200);
        assert.equal(sessions.size, 1);
    });

    it("reports a stream that was cut off after its response", async () => {
        await assert.rejects(statusOf(connection.request("/cut")), /closed with error code|stream reset/);
    });

    it("reports a stream that closed without a response, by either side and by its session", async () => {
        await assert.rejects(statusOf(connection.request("/end")), /without an answer/);
        const hanging = connection.request("/hang");
        const status = statusOf(hanging);
        hanging.destroy();
        await assert.rejects(status, /without an answer/);
        await assert.rejects(statusOf(connection.request("/die")), /stream (reset with \d|closed without an answer)/);
    });

    it("opens a new session when the previous one has closed", async () => {
        await statusOf(connection.request("/die")).catch(() => undefined);
        const before = sessions.size;
        assert.equal(await statusOf(connection.request("/answer")), 200);
        assert.equal(sessions.size, before + 1);
    });
});
