import assert from "node:assert/strict";
import { createServer, type Server } from "node:https";
import { hasCluster } from "../../../../../agents/boot/receiver/receive";
import { freePort } from "../../../../free-port";
import { Authority } from "./authority";

const name = "api.c.example";

describe("the check for an existing cluster", () => {
    let authority: Authority;
    let port: number;
    let servers: Server[];

    before(() => {
        authority = new Authority();
    });
    after(() => authority.remove());
    beforeEach(async () => {
        servers = [];
        port = await freePort();
    });
    afterEach(() => {
        for (const server of servers) server.close();
    });

    const serve = async (address: string, of: string, status = 200) => {
        const { cert, key } = authority.server(of);
        const server = createServer({ cert, key }, (_, response) => response.writeHead(status).end("{}"));
        servers.push(server);
        await new Promise<void>((resolve) => server.listen(port, address, resolve));
    };
    const look = (...addresses: string[]) => hasCluster(`https://${name}:${port}`, authority.ca, async () => addresses);

    it("finds it at any address of its name, even behind a receiver", async () => {
        await serve("127.0.0.1", "bootstrap.c.example");
        await serve("127.0.0.2", name);
        assert.equal(await look("127.0.0.1", "127.0.0.2"), true);
        assert.equal(await look("127.0.0.1"), false);
    });

    it("finds one that rejects the request", async () => {
        await serve("127.0.0.1", name, 401);
        assert.equal(await look("127.0.0.1"), true);
    });

    it("finds none if nothing listens, or the name does not resolve", async () => {
        assert.equal(await look("127.0.0.1"), false);
        assert.equal(await look(), false);
        const unknown = async () => Promise.reject(new Error("ENOTFOUND"));
        assert.equal(await hasCluster(`https://${name}:${port}`, authority.ca, unknown), false);
    });
});
