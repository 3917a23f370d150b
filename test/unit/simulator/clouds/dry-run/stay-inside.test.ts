import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";

const preload = resolve(__dirname, "../../../../../simulator/clouds/dry-run/stay-inside.cjs");

/** The error that a program with it gets when it connects to an address. */
async function told(program: string): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, ["--require", preload, "-e", program]);
    return stdout.trim();
}

const asks = (url: string) =>
    `require("node:${url.split(":")[0]}").get("${url}").on("error", ({ code }) => console.log(code))`;

describe("a program that works with a dry run", () => {
    // 192.0.2.0/24 and 2001:db8::/32 are unassigned, by RFC 5737 and RFC 3849.
    for (const url of ["https://192.0.2.10:6443/", "http://[2001:db8::10]/"]) {
        it(`cannot connect to ${url}, and fails at once`, async () => {
            assert.equal(await told(asks(url)), "ENETUNREACH");
        });
    }

    it("cannot use a bare socket either", async () => {
        const program = `require("node:net").connect(6443, "192.0.2.10").on("error", ({ code }) => console.log(code))`;
        assert.equal(await told(program), "ENETUNREACH");
    });

    it("finds an API without objects where it asks about a change of the cluster", async () => {
        const client = resolve(__dirname, "../../../../../clients/kubernetes/api-client.ts");
        const program = `
            require("tsx/cjs");
            const { ApiClient, list, metadataOnly } = require(${JSON.stringify(client)});
            const api = new ApiClient("https://192.0.2.10:6443", () => ({}), "tradewind-up");
            const set = "/apis/apps/v1/namespaces/kube-system/daemonsets/kube-apiserver";
            const coded = (promise) => promise.then(JSON.stringify, ({ status, code }) => status ?? code);
            void Promise.all([
                coded(api.call("/version", { isFresh: true })),
                coded(api.call(set)),
                coded(list(api, "/api/v1/nodes", metadataOnly)),
                coded(list(api, "/api/v1/nodes")),
                coded(new ApiClient("https://192.0.2.10:6443", () => ({}), "tradewind").call("/version")),
            ]).then((told) => console.log(told.join(" ")));`;
        assert.equal(await told(program), "{} 404 [] ENETUNREACH ENETUNREACH");
    });

    it("can connect to the local host", async () => {
        const program = `
            const server = require("node:http").createServer((_, answer) => answer.end("hello"));
            server.listen(0, "127.0.0.1", async () => {
                const answer = await fetch("http://127.0.0.1:" + server.address().port);
                console.log(await answer.text());
                process.exit();
            });`;
        assert.equal(await told(program), "hello");
    });
});
