import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { exitCodeOf, podExec } from "../../../../clients/kubernetes/pod-exec";
import { certificates } from "../../agents/boot/bootstrap/certificates";

const exec = {
    namespace: "kube-system",
    pod: "etcd-c-0",
    container: "etcd",
    command: ["etcdctl", "member list", "&x=y"],
};

describe("a command in a pod", () => {
    let server: Server;
    let sockets: WebSocketServer;
    let url: string;
    /** How the API handles a connection. */
    let act: (socket: WebSocket, path: string) => void;

    beforeEach(async () => {
        const { ca, server: own } = certificates();
        server = createServer({ ...own, ca, requestCert: true, rejectUnauthorized: true });
        sockets = new WebSocketServer({ server, handleProtocols: (all) => [...all][0]! });
        sockets.on("connection", (socket, { url: path = "" }) => act(socket, path));
        server.listen(0, "127.0.0.1");
        await once(server, "listening");
        url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });

    afterEach(() => {
        for (const client of sockets.clients) {
            client.terminate();
        }
        server.close();
    });

    const credentials = () => ({ ca: certificates().ca, ...certificates().admin });
    const frame = (stream: number, text: string) => Buffer.concat([Buffer.from([stream]), Buffer.from(text)]);

    it("returns its output and exit code", async () => {
        let asked = "";
        act = (socket, path) => {
            asked = path;
            socket.send(frame(1, "one, "));
            socket.send(frame(2, "oops"));
            socket.send(frame(1, "two"));
            const details = { causes: [{ reason: "ExitCode", message: "3" }] };
            socket.send(frame(3, JSON.stringify({ status: "Failure", message: "exit code 3", details })));
            socket.close();
        };
        assert.deepEqual(await podExec(url, credentials(), exec), { exitCode: 3, stdout: "one, two", stderr: "oops" });
        const query = new URL(asked, url).searchParams;
        assert.deepEqual(query.getAll("command"), exec.command);
        assert.match(asked, /^\/api\/v1\/namespaces\/kube-system\/pods\/etcd-c-0\/exec\?/);
    });

    it("fails if the connection breaks early", async () => {
        act = (socket) => socket.close();
        await assert.rejects(podExec(url, credentials(), exec), {
            message: "etcdctl in etcd-c-0: the connection closed before the command exited",
        });
    });

    it("times out without a response", async () => {
        act = () => undefined;
        await assert.rejects(podExec(url, credentials(), { ...exec, timeoutMilliseconds: 100 }), {
            message: "etcdctl in etcd-c-0: no answer within 0.1 s",
        });
    });

    it("is not sent to an untrusted server", async () => {
        act = () => assert.fail("connected");
        await assert.rejects(podExec(url, { ...credentials(), ca: certificates().stranger.cert }, exec));
    });
});

describe("the end of a command", () => {
    it("is its exit code, or the API's reason why it did not run", () => {
        assert.equal(exitCodeOf('{"status":"Success"}'), 0);
        assert.throws(() => exitCodeOf('{"status":"Failure","message":"container not found"}'), {
            message: "container not found",
        });
    });
});
