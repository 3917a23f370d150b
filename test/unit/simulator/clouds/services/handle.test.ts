import assert from "node:assert/strict";
import { handle } from "../../../../../simulator/clouds/services/serve";
import type { Caller, CloudServices, Unsigned } from "../../../../../simulator/clouds/services/service";

describe("a machine's request to a simulated cloud", () => {
    const cloud: CloudServices<string> = {
        account: (path) => path,
        networks: () => [],
        metadata: (_, { path, headers }, { address }) => ({
            status: 200,
            body: `metadata ${path} ${address} ${Object.keys(headers)}`,
        }),
        apis: [
            {
                hosts: /^s3\.example\.com$/,
                answer: (account, { path, query }, { caller }) => ({
                    status: 200,
                    body: [account, path, query, JSON.stringify(caller)].join(" "),
                }),
            },
        ],
        callerOf: (_, { headers }): Caller | Unsigned => (headers.authorization ? { role: "r", instance: "i" } : {}),
        work: [],
    };
    const from = { "x-tradewind-network": "c", "x-tradewind-address": "10.0.0.7" };
    const ask = (headers: Record<string, string>, url = "/a?b=c?d") =>
        handle(cloud, "account", "secret", { method: "GET", url, headers, body: Buffer.alloc(0) });

    it("is passed to the metadata service with its client, and without our own headers", async () => {
        const { body } = await ask({ ...from, "x-tradewind-way": "metadata", "x-own": "1" });
        assert.equal(body, "metadata /a 10.0.0.7 x-own");
    });

    it("is passed to the API of its host name with its signer", async () => {
        const by = { ...from, "x-tradewind-way": "api", host: "S3.example.com:443" };
        assert.equal((await ask(by)).body, "account /a b=c?d {}");
        assert.match(String((await ask({ ...by, authorization: "x" })).body), /"role":"r"/);
        assert.equal((await ask({ ...by, host: "ec2.example.com" })).status, 404);
    });

    it("only comes from the networks' mirrors", async () => {
        assert.equal((await ask({ "x-tradewind-way": "metadata" })).status, 400);
    });
});
