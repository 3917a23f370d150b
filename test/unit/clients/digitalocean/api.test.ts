import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { DigitalOceanApi } from "../../../../clients/digitalocean/api";

describe("a client of DigitalOcean's API", () => {
    let server: Server;
    let url: string;
    /** The next responses: status and body. */
    let answers: [number, object?][];
    let requests: string[];

    beforeEach(async () => {
        answers = [];
        requests = [];
        server = createServer((request, response) => {
            requests.push(`${request.method} ${request.url}`);
            const [status, body] = answers.shift() ?? [200, {}];
            response.writeHead(status, { "retry-after": "0" }).end(body && JSON.stringify(body));
        });
        await once(server.listen(0, "127.0.0.1"), "listening");
        url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterEach(() => server.close());

    const client = (attempts?: number) => new DigitalOceanApi(url, "token", attempts);

    it("returns the items of all pages", async () => {
        answers = [
            [200, { volumes: [1, 2], links: { pages: { next: "x" } } }],
            [200, { volumes: [3], links: {} }],
        ];
        assert.deepEqual(await client().list("/v2/volumes?region=a", "volumes"), [1, 2, 3]);
        assert.deepEqual(requests, [
            "GET /v2/volumes?region=a&per_page=200&page=1",
            "GET /v2/volumes?region=a&per_page=200&page=2",
        ]);
    });

    it("takes a response without the list for no empty list", async () => {
        for (const body of [{}, undefined, { volumes: null }]) {
            answers = [[200, body]];
            await assert.rejects(client().list("/v2/volumes", "volumes"), /GET \/v2\/volumes: .* has no volumes/);
        }
    });

    it("repeats what was throttled, and reads after an error of the server", async () => {
        answers = [[429], [429], [200, { a: 1 }]];
        assert.deepEqual(await client().call("DELETE", "/v2/volumes/1"), { a: 1 });
        answers = [[503], [500], [200, { a: 2 }]];
        assert.deepEqual(await client().call("GET", "/v2/volumes/1"), { a: 2 });
        answers = [[503]];
        await assert.rejects(client().call("POST", "/v2/volumes"), { name: "DigitalOceanError", status: 503 });
        answers = Array.from({ length: 5 }, () => [429, { id: "too_many_requests" }]);
        await assert.rejects(client().call("GET", "/v2/account"), /GET \/v2\/account: 429 .*too_many_requests/);
        assert.equal(requests.length, 12);
    });

    it("repeats nothing if its user does", async () => {
        answers = [[429]];
        await assert.rejects(client(1).call("GET", "/v2/account"), { status: 429 });
        assert.equal(requests.length, 1);
    });
});
