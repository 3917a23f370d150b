import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Cluster } from "../../../../../simulator/plugins/kubernetes/cluster";
import { parseConfig } from "../../../../../simulator/plugins/kubernetes/config";
import { create } from "../../../../../simulator/plugins/kubernetes/creation";
import { ApiError, ConnectionError, NoSuchKindError } from "../../../../../simulator/plugins/kubernetes/faults";

const RESOURCES = {
    resources: [
        { name: "configmaps", kind: "ConfigMap", namespaced: true },
        { name: "configmaps/status", kind: "X" },
    ],
};
const MAP = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "b" } };

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

describe("the API of a cluster", () => {
    let server: Server;
    let cluster: Cluster;
    let answers: Answer[];
    let seen: string[];

    const json =
        (status: number, body: object): Answer =>
        (_, response) => {
            response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
        };
    const hangUp: Answer = (request) => request.socket.destroy();

    beforeEach(async () => {
        [answers, seen] = [[], []];
        server = createServer((request, response) => {
            if (request.url === "/api/v1") return json(200, RESOURCES)(request, response);
            seen.push(`${request.method} ${request.url}`);
            request
                .resume()
                .on("end", () => (answers.shift() ?? json(500, { message: "unexpected" }))(request, response));
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        const { port } = server.address() as AddressInfo;
        cluster = new Cluster({
            server: `http://127.0.0.1:${port}`,
            cluster: "c",
            namespace: "default",
            isInsecure: false,
        });
    });

    afterEach(() => {
        cluster.close();
        server.closeAllConnections();
        server.close();
    });

    it("is retried when it hangs up, is busy or is shutting down", async () => {
        answers = [hangUp, json(429, { message: "busy" }), json(503, { message: "shutting down" }), json(200, MAP)];
        assert.deepEqual(await cluster.get(MAP), MAP);
        assert.equal(seen.length, 4);
    });

    it("is retried on apply, which is idempotent", async () => {
        answers = [hangUp, json(200, MAP)];
        await cluster.apply(MAP, { fieldManager: "me", force: false });
        assert.deepEqual(seen[1], "PATCH /api/v1/namespaces/b/configmaps/a?fieldManager=me&force=false");
    });

    it("is not retried on create, which may have succeeded", async () => {
        answers = [hangUp];
        const created = cluster.create(MAP, { fieldManager: "me" });
        await assert.rejects(created, (error) => error instanceof ConnectionError && error.wasSent);
        assert.deepEqual(seen, ["POST /api/v1/namespaces/b/configmaps?fieldManager=me"]);
    });

    it("is not retried on a rejection", async () => {
        answers = [json(403, { message: "forbidden: no", reason: "Forbidden" })];
        await assert.rejects(cluster.get(MAP), (error) => error instanceof ApiError && error.isForbidden);
        assert.equal(seen.length, 1);
    });

    it("does not know kinds that it does not serve", async () => {
        await assert.rejects(cluster.get({ ...MAP, kind: "Gadget" }), NoSuchKindError);
        assert.equal(await cluster.serves({ group: "", version: "v1", kind: "Gadget" }), false);
    });

    it("does not create a second object when the response about the first was lost", async () => {
        const live = { ...MAP, metadata: { ...MAP.metadata, uid: "1" } };
        answers = [hangUp, json(409, { message: "already exists", reason: "AlreadyExists" }), json(200, live)];
        assert.equal((await create(cluster, parseConfig({}, {}), creation())).id, "b/a");
        assert.deepEqual(
            seen.map((line) => line.split(" ")[0]),
            ["POST", "POST", "GET"],
        );
    });

    it("reports an existing object of somebody else on the first attempt", async () => {
        answers = [json(409, { message: 'configmaps "a" already exists', reason: "AlreadyExists" })];
        await assert.rejects(
            create(cluster, parseConfig({}, {}), creation()),
            /configmaps "a" already exists.* set upsertExistingObjects on the provider/,
        );
    });

    it("is retried until the namespace exists", async () => {
        answers = [json(404, { message: "no namespace", reason: "NotFound" }), json(201, MAP)];
        await create(cluster, parseConfig({}, {}), creation());
        assert.equal(seen.length, 2);
    });

    const creation = () => ({
        urn: "urn:pulumi:s::p::kubernetes:core/v1:ConfigMap::a",
        type: "kubernetes:core/v1:ConfigMap",
        name: "a",
        inputs: MAP,
        isPatch: false,
        timeout: 0,
        secrets: new Set<string>(),
        signal: new AbortController().signal,
        log: { debug() {}, info() {}, warn() {}, error() {}, status() {} },
    });
});
