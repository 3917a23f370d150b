import assert from "node:assert/strict";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { ApiClient, type Call, list, patch, remove } from "../../../../clients/kubernetes/api-client";
import { ApiError, isTransient } from "../../../../clients/kubernetes/api-error";
import { certificates } from "../../agents/boot/bootstrap/certificates";

/** An API that answers with these, in order, and throws the errors among them. */
function apiOf(...answers: unknown[]) {
    const calls: [string, Call | undefined][] = [];
    const call = async <T>(path: string, sent?: Call) => {
        calls.push([path, sent]);
        const answer = answers.shift();
        if (answer instanceof Error) throw answer;
        return answer as T;
    };
    return { call, calls };
}

describe("a list", () => {
    it("has the items of all pages", async () => {
        const api = apiOf({ items: [1, 2], metadata: { continue: "a/b" } }, { items: [3], metadata: { continue: "" } });
        assert.deepEqual(await list(api, "/api/v1/pods?limit=2", { timeoutMilliseconds: 5 }), [1, 2, 3]);
        const sent = { timeoutMilliseconds: 5 };
        assert.deepEqual(api.calls, [
            ["/api/v1/pods?limit=2", sent],
            ["/api/v1/pods?limit=2&continue=a%2Fb", sent],
        ]);
    });

    it("is empty if the API names no items", async () => {
        assert.deepEqual(await list(apiOf({}), "/api/v1/pods"), []);
    });
});

describe("a patch", () => {
    for (const [kind, contentType] of [
        ["merge", "application/merge-patch+json"],
        ["strategic", "application/strategic-merge-patch+json"],
        ["json", "application/json-patch+json"],
        ["apply", "application/apply-patch+yaml"],
    ] as const) {
        it(`of kind ${kind} is sent as ${contentType}`, async () => {
            const api = apiOf({ kind: "Node" });
            assert.deepEqual(await patch(api, "/api/v1/nodes/n0", kind, { a: 1 }), { kind: "Node" });
            assert.deepEqual(api.calls, [["/api/v1/nodes/n0", { method: "PATCH", contentType, body: { a: 1 } }]]);
        });
    }
});

describe("deleting an object", () => {
    it("says whether it existed", async () => {
        const api = apiOf({});
        assert.equal(await remove(api, "/api/v1/nodes/n0", { gracePeriodSeconds: 0 }), true);
        assert.deepEqual(api.calls, [["/api/v1/nodes/n0", { method: "DELETE", body: { gracePeriodSeconds: 0 } }]]);
        assert.equal(await remove(apiOf(new ApiError(404, "not found")), "/api/v1/nodes/n0"), false);
    });

    it("fails for any other reason", async () => {
        await assert.rejects(remove(apiOf(new ApiError(409, "conflict")), "/api/v1/nodes/n0"), /409: conflict/);
    });
});

describe("a client", () => {
    it("closes its connections after it was used, whatever the outcome", async () => {
        for (const act of [async () => "done", async () => assert.fail("no")]) {
            const api = new ApiClient("https://127.0.0.1:1", () => ({}));
            let closed = 0;
            api.reconnect = () => closed++;
            const outcome = await api.closeAfter(act).catch((error: Error) => error.message);
            assert.deepEqual([outcome, closed], [outcome === "done" ? "done" : "no", 1]);
        }
    });
});

describe("the response of something other than a working API", () => {
    /** What a call says, with `URL` for the server's. */
    async function said(listener: RequestListener, path = "/api/v1/nodes", timeoutMilliseconds = 5_000) {
        const server = createServer(certificates().server, listener).listen(0, "127.0.0.1");
        await once(server, "listening");
        const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
        try {
            return await new ApiClient(url, () => ({ rejectUnauthorized: false })).closeAfter(async (api) => {
                const result = await api.call<unknown>(path, { timeoutMilliseconds }).catch((error: Error) => error);
                if (!(result instanceof Error)) return result;
                return `${result.message.replace(url, "URL")}${isTransient(result) ? ", passing" : ""}`;
            });
        } finally {
            server.closeAllConnections();
            server.close();
        }
    }
    const answering = (status: number, body: string): RequestListener => {
        return (_, response) => response.writeHead(status).end(body);
    };
    const page = "<!DOCTYPE html>\n<html><style>p {}</style>\n<h1>502 Bad Gateway</h1>\n<hr>nginx</html>\n";
    const other = "200: the response must be an object of Kubernetes";

    const cases: readonly [title: string, status: number, body: string, says: string][] = [
        ["a page with status 200", 200, page, `${other} (got 502 Bad Gateway nginx), passing`],
        ["a page with status 502", 502, page, "502: 502 Bad Gateway nginx, passing"],
        ["no body", 200, "", `${other} (got nothing), passing`],
        ["a list", 200, "[]", `${other} (got []), passing`],
        ["a part of an object", 200, '{"items":[', `${other} (got {"items":[), passing`],
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

    it("is an error that says where a redirect leads", async () => {
        const login: RequestListener = (_, response) => response.writeHead(302, { location: "https://login" }).end();
        assert.equal(await said(login), "302: redirects to https://login");
    });

    it("is an error that names the server, if it breaks off or never comes", async () => {
        const cut: RequestListener = (_, response) => {
            response.writeHead(200, { "content-length": 100 }).write('{"items":[');
            setTimeout(() => response.destroy(), 20);
        };
        assert.equal(await said(cut), "URL closed the connection during its response, passing");
        assert.equal(await said(() => undefined, "/livez", 50), "URL did not respond within 0.05 s, passing");
    });

    it("is a text, if it is one: a log of JSON lines, health, metrics", async () => {
        for (const [path, text] of [
            ["/api/v1/namespaces/a/pods/b/log?tailLines=20", '{"level":"info"}\n{"level":"warn"}\n'],
            ["/api/v1/namespaces/a/pods/b/log", '{"level":"info"}'],
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
