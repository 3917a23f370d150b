import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { InterruptionNotices } from "../../../../../../agents/nodes/node-agent/interruption/notices";

const interruption = { action: "terminate", time: "2030-01-01T00:02:00Z" };

const spot = "GET /latest/meta-data/spot/instance-action";
const group = "GET /latest/meta-data/autoscaling/target-lifecycle-state";

describe("EC2's interruption notice", () => {
    let server: Server;
    let asked: string[];
    let answer: { status: number; body?: string };
    let state: string | undefined;
    let tokens: number;
    let time: number;
    let said: string[];
    const notices = () =>
        new InterruptionNotices(
            `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
            (line) => said.push(line),
            () => time,
        );

    beforeEach(async () => {
        [asked, tokens, time, said, answer, state] = [[], 0, 0, [], { status: 404 }, undefined];
        server = createServer(({ method, url, headers }, response) => {
            asked.push(`${method} ${url}`);
            if (method === "PUT") {
                const isAsked = headers["x-aws-ec2-metadata-token-ttl-seconds"] !== undefined;
                response.writeHead(isAsked ? 200 : 400).end(`token-${++tokens}`);
            } else if (headers["x-aws-ec2-metadata-token"] !== `token-${tokens}`) {
                response.writeHead(401).end();
            } else if (`GET ${url}` === group) {
                response.writeHead(state === undefined ? 404 : 200).end(state);
            } else {
                response.writeHead(answer.status).end(answer.body);
            }
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    });
    afterEach(() => void server.close());

    it("is requested with a token, every five seconds, until it arrives", async () => {
        const of = notices();
        assert.equal(await of.observe(), undefined);
        assert.deepEqual(asked, ["PUT /latest/api/token", spot, group]);
        answer = { status: 200, body: JSON.stringify(interruption) };
        time = 4_999;
        assert.equal(await of.observe(), undefined);
        time = 5_000;
        assert.deepEqual(await of.observe(), interruption);
        time = 60_000;
        assert.deepEqual(await of.observe(), interruption);
        assert.deepEqual(asked.slice(3), [spot]);
        assert.deepEqual(said, []);
    });

    it("is a termination by its waiting Auto Scaling group, and not a return to service", async () => {
        const of = notices();
        state = "InService";
        assert.equal(await of.observe(), undefined);
        state = "Terminated";
        time = 5_000;
        assert.deepEqual(await of.observe(), { action: "terminate" });
        assert.deepEqual(said, []);
    });

    it("is a scheduled termination before a waiting group", async () => {
        [state, answer] = ["Terminated", { status: 200, body: JSON.stringify(interruption) }];
        assert.deepEqual(await notices().observe(), interruption);
    });

    it("is requested with another token if one is no longer accepted", async () => {
        const of = notices();
        await of.observe();
        answer = { status: 401 };
        time = 5_000;
        assert.equal(await of.observe(), undefined);
        assert.match(said[0]!, /cannot get interruption notices from the metadata service: got status 401/);
        answer = { status: 200, body: JSON.stringify(interruption) };
        time = 10_000;
        assert.deepEqual(await of.observe(), interruption);
        assert.equal(tokens, 2);
    });

    it("is nothing while the service does not answer, or answers in another format", async () => {
        const of = notices();
        answer = { status: 200, body: "<html>" };
        assert.equal(await of.observe(), undefined);
        server.close();
        server.closeAllConnections();
        time = 5_000;
        assert.equal(await of.observe(), undefined);
        assert.equal(said.length, 2);
    });
});
