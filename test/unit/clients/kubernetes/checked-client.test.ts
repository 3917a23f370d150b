import assert from "node:assert/strict";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { isTransient } from "../../../../clients/kubernetes/api-error";
import { CheckedClient } from "../../../../clients/kubernetes/checked-client";
import { certificates } from "../../agents/boot/bootstrap/certificates";

describe("the response of something other than a working API", () => {
    /** What a call says, with `URL` for the server's. */
    async function said(listener: RequestListener, path = "/api/v1/nodes", timeoutMilliseconds = 5_000) {
        const server = createServer(certificates().server, listener).listen(0, "127.0.0.1");
        await once(server, "listening");
        const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
        try {
            return await new CheckedClient(url, () => ({ rejectUnauthorized: false }), "test").closeAfter(
                async (api) => {
                    const result = await api
                        .call<unknown>(path, { timeoutMilliseconds })
                        .catch((error: Error) => error);
                    if (!(result instanceof Error)) return result;
                    return `${result.message.replace(url, "URL")}${isTransient(result) ? ", passing" : ""}`;
                },
            );
        } finally {
            server.closeAllConnections();
            server.close();
        }
    }
    const answering = (status: number, body: string): RequestListener => {
        return (_, response) => response.writeHead(status).end(body);
    };
    const page = "<!DOCTYPE html>\n<html>\n<h1>502 Bad Gateway</h1>\n<hr>nginx</html>\n";
    const other = "200: not an object of Kubernetes:";

    const cases: readonly [title: string, status: number, body: string, says: string][] = [
        ["a page with status 200", 200, page, `${other} 502 Bad Gateway nginx, passing`],
        ["a page with status 502", 502, page, "502: 502 Bad Gateway nginx, passing"],
        ["no body", 200, "", `${other} nothing, passing`],
        ["a list", 200, "[]", `${other} [], passing`],
        ["a part of an object", 200, '{"items":[', `${other} a part of one, passing`],
        ["an error that is null", 500, "null", "500: null, passing"],
        ["an error without a text", 500, '{"message":{}}', '500: {"message":{}}, passing'],
        ["an error with odd causes", 422, '{"message":"no","details":{"causes":"x"}}', "422: no"],
        ["an error with causes that are null", 422, '{"message":"no","details":{"causes":[null]}}', "422: no"],
    ];
    for (const [title, status, body, says] of cases) {
        it(`is an error in one line: ${title}`, async () => {
            assert.equal(await said(answering(status, body)), says);
        });
    }

    it("is an error that names the server, if it breaks off or never comes", async () => {
        const cut: RequestListener = (_, response) => {
            response.writeHead(200, { "content-length": 100 }).write('{"items":[');
            setTimeout(() => response.destroy(), 20);
        };
        assert.equal(await said(cut), "URL closed the connection during its response, passing");
        assert.equal(await said(() => undefined, "/livez", 50), "URL did not respond within 0.05 s, passing");
    });

    it("is not reached with a certificate that is none, and the error says what is wrong", async () => {
        const junk = () => ({ cert: "x", key: "y" });
        await assert.rejects(new CheckedClient("https://127.0.0.1:1", junk, "test").call("/version"), {
            message: /^the kubeconfig's client certificate and its key cannot be used: .*no start line/,
        });
    });

    it("is a text, if it is one: a log of JSON lines, health, metrics", async () => {
        for (const [path, text] of [
            ["/api/v1/namespaces/a/pods/b/log?tailLines=20", '{"level":"info"}\n{"level":"warn"}\n'],
            ["/readyz", "ok"],
            ["/metrics", "# HELP a b\n"],
        ] as const) {
            assert.equal(await said(answering(200, text), path), text);
        }
    });

    it("is an object of any other path, although its name looks like that of a log", async () => {
        for (const path of ["/version", "/api/v1/namespaces/a/configmaps/log", "/api/v1/nodes/a/proxy/configz"]) {
            assert.deepEqual(await said(answering(200, '{"a":1}'), path), { a: 1 });
        }
    });
});
