import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { RepositoryClient } from "../../../clients/registry";

describe("a registry that requires a token", () => {
    /** What reading a manifest says, with `URL` for the registry's. */
    async function said(realm: string, token: string): Promise<string> {
        const server = createServer(({ url = "", headers }, response) => {
            if (url.startsWith("/token")) return response.end(token);
            if (headers.authorization === "Bearer abc") return response.end("{}");
            return response.writeHead(401, { "www-authenticate": realm.replace("URL", at) }).end();
        });
        await once(server.listen(0, "127.0.0.1"), "listening");
        const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        try {
            return await new RepositoryClient(`${at}/v2/a`).manifest("1").then(
                ({ text }) => text,
                (error: Error) => error.message.replaceAll(at, "URL"),
            );
        } finally {
            server.closeAllConnections();
            server.close();
        }
    }
    const realm = 'Bearer realm="URL/token",service="s"';
    const none = "URL/token?service=s must answer with a token (got none)";

    for (const [answer, header, says] of [
        ['{"token":"abc"}', realm, "{}"],
        ['{"access_token":"abc"}', realm, "{}"],
        ["null", realm, none],
        ["<html>", realm, none],
        ['{"token":{}}', realm, none],
        ["", 'Bearer realm="here"', 'URL/v2/a/manifests/1 requires a login: Bearer realm="here"'],
        ["", 'Basic realm="URL"', 'URL/v2/a/manifests/1 requires a login: Basic realm="URL"'],
    ] as const) {
        it(`reads a manifest or says why not: ${header} ${answer}`, async () => {
            assert.equal(await said(header, answer), says);
        });
    }
});
