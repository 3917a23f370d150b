import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { node } from "../../artifacts/lock/tools";
import { binaryPlace, cacheDir } from "../../cache";
import { proxyEnv } from "../../cluster/manifests/proxy-env";
import { resolveCluster } from "../../cluster/resolve";

const port = (server: Server) => (server.address() as AddressInfo).port;
const listening = (server: Server) =>
    new Promise<void>((resolve) => {
        server.listen(0, "127.0.0.1", resolve);
    });

describe("agents behind a proxy", function () {
    this.timeout(120_000);
    const folder = mkdtempSync(join(tmpdir(), "tradewind-proxy-"));
    const asked: string[] = [];
    let outside: Server;
    let proxy: Server;

    before(async () => {
        const names = ["-subj", "/CN=outside", "-addext", "subjectAltName=DNS:outside.invalid"];
        const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
        const files = ["-keyout", join(folder, "key"), "-out", join(folder, "crt")];
        execFileSync("openssl", ["req", ...kind, ...names, ...files], { stdio: "pipe" });
        const [key, cert] = ["key", "crt"].map((name) => readFileSync(join(folder, name)));
        outside = createTlsServer({ key, cert }, (_, response) => response.end("outside"));
        proxy = createServer((request, response) => {
            asked.push(request.url!);
            response.end("by proxy");
        });
        proxy.on("connect", (request, socket) => {
            asked.push(`CONNECT ${request.url}`);
            const tunnel = connect(port(outside), "127.0.0.1", () => {
                socket.write("HTTP/1.1 200 OK\r\n\r\n");
                socket.pipe(tunnel).pipe(socket);
            });
            // A client may leave in the middle of an answer.
            for (const [one, other] of [
                [socket, tunnel],
                [tunnel, socket],
            ] as const)
                one.on("error", () => other.destroy());
        });
        await Promise.all([listening(outside), listening(proxy)]);
    });
    after(() => {
        outside?.close();
        proxy?.close();
        rmSync(folder, { recursive: true });
    });

    it("download and query a cloud by it, with the Node.js of their image, and the cluster directly", async () => {
        const url = `http://127.0.0.1:${port(proxy)}`;
        const cluster = resolveCluster({ name: "c", proxy: { httpProxy: url, httpsProxy: url } });
        const env = Object.fromEntries(proxyEnv(cluster).map(({ name, value }) => [name, value]));
        const program = `
const { get, ask } = require("./clients/http");
(async () => {
    console.log(await (await get("https://outside.invalid/kubelet", AbortSignal.timeout(60_000))).toArray() + "");
    console.log((await ask("https://outside.invalid/ec2")).text);
    console.log((await ask("http://outside.invalid/do")).text);
    const direct = await ask("http://api.c.tradewind.internal/healthz", {}, 3000).catch(() => ({ text: "not by proxy" }));
    console.log(direct.text);
    console.log((await ask("${url}/own")).text);
})();`;
        const binary = join(cacheDir(), binaryPlace(node, "node"));
        const { stdout } = await promisify(execFile)(binary, ["--require", "tsx/cjs", "-e", program], {
            cwd: join(__dirname, "../.."),
            env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_EXTRA_CA_CERTS: join(folder, "crt"), ...env },
        });
        assert.deepEqual(stdout.trim().split("\n"), ["outside", "outside", "by proxy", "not by proxy", "by proxy"]);
        assert.deepEqual(asked, [
            "CONNECT outside.invalid:443",
            "CONNECT outside.invalid:443",
            "http://outside.invalid/do",
            "/own",
        ]);
    });
});
