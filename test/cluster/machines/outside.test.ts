import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileIndex } from "../../../cache";
import { containerd } from "../../../cluster/machines/container-runtime/containerd";
import { proxyForServices } from "../../../cluster/machines/proxy";
import { fetchTool, system } from "../../../cluster/machines/system";
import { withDirectNetwork } from "../../../cluster/proxy";
import { config, file, merge, render, unit } from "../../../ignition";
import * as machines from "../../../machines";
import { versions } from "../../../versions";
import { images } from "../../../versions/images";
import { fixedCluster } from "../../unit/components/in-cluster/fixture";
import { eventually } from "../cluster";

/** Of "a pass word", for `htpasswd` files. */
const bcrypt = "$2b$05$abcdefghijklmnopqrstuuTtCPEIC6a.srGEza7Htt8owgj0P3vZq";
const login = { username: "puller", password: "a pass word" };
const registry = "registry.k8s.io";

describe("a machine that reaches the outside by others", function () {
    this.timeout(120_000);
    const cluster = `t${process.pid}o`;
    const folder = mkdtempSync(join(tmpdir(), "tradewind-outside-"));
    let subnet: string;
    let proxy: Server;
    /** What the proxy forwarded. */
    const forwarded: string[] = [];

    const at = (place: number) => subnet.replace(".0/24", `.${place}`);
    const boot = async (name: string, place: number, text: string) => {
        await machines.createMachine({ cluster, name, address: at(place), config: text });
        return (command: string) => machines.exec(cluster, name, ["sh", "-c", command]);
    };

    before(async () => {
        await machines.ensureEngine();
        subnet = await machines.pickSubnet(cluster);
        await machines.createNetwork({ cluster, subnet, domain: "tradewind.test" });
        const certificate = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
        const names = ["-subj", "/CN=mirror", "-addext", "subjectAltName=IP:127.0.0.1"];
        const files = ["-keyout", join(folder, "key"), "-out", join(folder, "crt")];
        execFileSync("openssl", ["req", ...certificate, ...names, ...files], { stdio: "pipe" });
        proxy = createServer((asked, response) =>
            forward(asked, (answer) => {
                response.writeHead(answer.statusCode!, answer.headers);
                answer.pipe(response);
            }),
        );
        await new Promise<void>((resolve) => proxy.listen(0, "0.0.0.0", resolve));
    });
    after(async () => {
        proxy?.close();
        rmSync(folder, { recursive: true });
        await machines.destroyCluster(cluster);
    });

    /** The mirror's name is only known inside of the network. */
    const forward = (asked: IncomingMessage, done: (answer: IncomingMessage) => void) => {
        const { host, port, pathname, search } = new URL(asked.url!);
        forwarded.push(`${asked.method} ${host}${pathname}`);
        const { host: _, ...headers } = asked.headers;
        request(
            { host: at(2), port, path: `${pathname}${search}`, method: asked.method, headers: { ...headers, host } },
            done,
        ).end();
    };

    it("pulls from a mirror with its own CA and a login, and from none that has another", async () => {
        const mirror = `http://mirror.${cluster}.tradewind.test:5000`;
        const settings = `version: 0.1
storage: {filesystem: {rootdirectory: /var/lib/registry}}
http: {addr: "127.0.0.1:5443", tls: {certificate: /etc/mirror/crt, key: /etc/mirror/key}}
auth: {htpasswd: {realm: mirror, path: /etc/mirror/htpasswd}}
proxy: {remoteurl: "${mirror}"}
`;
        const serve = `[Service]\nExecStart=/usr/bin/docker-registry serve /etc/mirror/config.yml\n[Install]\nWantedBy=multi-user.target\n`;
        const text = readFileSync(join(folder, "crt"), "utf8");
        const pullers = fixedCluster({
            registryMirrors: [
                { registry, urls: ["https://127.0.0.1:5443"], ca: text },
                { registry: "docker.io", urls: ["https://127.0.0.1:5443"] },
                { registry: "quay.io", urls: ["https://127.0.0.1:5443"], ca: text },
            ],
        });
        const run = await boot(
            "mirrored",
            11,
            render(
                merge(
                    containerd(
                        pullers,
                        {},
                        { [registry]: login, "docker.io": login, "quay.io": { ...login, password: "wrong" } },
                    ),
                    config({
                        files: [
                            file("/etc/mirror/config.yml", settings),
                            file("/etc/mirror/htpasswd", `${login.username}:${bcrypt}\n`),
                            ...["crt", "key"].map((name) =>
                                file(`/etc/mirror/${name}`, readFileSync(join(folder, name))),
                            ),
                        ],
                        units: [unit("mirror.service", { enabled: true, contents: serve })],
                    }),
                ),
            ),
        );
        await eventually("the registry", () => run("curl -sk https://127.0.0.1:5443/v2/"), 30);
        const pull = (image: string) => run(`timeout 60 ctr images pull --hosts-dir /etc/containerd/certs.d ${image}`);
        await pull(images.pause);
        const name = images.pause.replace(registry, "");
        await assert.rejects(
            pull(`docker.io${name}`),
            /certificate signed by unknown authority|failed to verify certificate/,
        );
        await assert.rejects(pull(`quay.io${name}`), /401|unauthorized|authorization failed/i);
        const mode = await run("stat -c %a /etc/containerd/certs.d/registry.k8s.io/hosts.toml");
        assert.equal(mode.trim(), "600");
    });

    it("downloads by its proxy where the network refuses the direct way", async () => {
        const { port } = proxy.address() as AddressInfo;
        const cni = `cni-plugins/v${versions.cniPlugins}/cni-plugins-linux-amd64-v${versions.cniPlugins}.tgz`;
        const urls = [`http://mirror.outside.test:8080/${cni}`];
        const cniPlugins = { urls, sha256: fileIndex()[cni]!.sha256 };
        const by = withDirectNetwork(fixedCluster({ proxy: { httpProxy: `http://${at(1)}:${port}` } }), subnet);
        const own = { name: "proxied", address: at(12) };
        const run = await boot(
            "proxied",
            12,
            render(
                merge(
                    fetchTool(),
                    system(by, own, cniPlugins),
                    containerd(by, { registryMirror: "http://mirror.outside.test:5000" }),
                    proxyForServices(by, {}),
                ),
            ),
        );
        await eventually("CNI plugins", () => run("test -x /opt/cni/bin/bridge"), 60);
        assert.deepEqual(forwarded, [`GET mirror.outside.test:8080/${cni}`]);
        const environment = await run("tr '\\0' '\\n' </proc/$(pidof -s containerd)/environ");
        assert.match(environment, new RegExp(`^HTTP_PROXY=http://${at(1).replaceAll(".", "\\.")}:${port}$`, "m"));
        await assert.rejects(run("curl -fsS --max-time 5 http://mirror.outside.test:5000/v2/"));
        await run(`timeout 60 ctr images pull --hosts-dir /etc/containerd/certs.d ${images.pause}`);
        assert.ok(
            forwarded.some((line) => line.includes("mirror.outside.test:5000/v2/pause/")),
            forwarded.join("\n"),
        );
        // The node's own network is reached directly.
        const before = forwarded.length;
        await run(`set -a; . /etc/tradewind/proxy.env; curl -fsS -o /dev/null http://${at(2)}:8080/${cni}`);
        assert.equal(forwarded.length, before);
    });
});
