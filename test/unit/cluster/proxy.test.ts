import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { bootstrapReceiver } from "../../../cluster/machines/bootstrap/receiver";
import { workerConfig } from "../../../cluster/machines/worker";
import { nodeAgent } from "../../../cluster/manifests/nodes/node-agent";
import { proxyVariables, withDirectNetwork } from "../../../cluster/proxy";
import { resolveCluster } from "../../../cluster/resolve";
import { diffable } from "../../../ignition";
import { downloads, podSpecOf } from "../components/in-cluster/fixture";

const httpsProxy = "http://proxy.example:3128";

describe("an HTTP proxy", () => {
    const clusterWith = (proxy?: object) =>
        withDirectNetwork(
            resolveCluster({ name: "c", workerPools: [{ name: "a" }], ...(proxy && { proxy }) }),
            "10.0.0.0/16",
        );
    const direct =
        "localhost,127.0.0.1,127.0.0.0/8,::1,169.254.169.254,10.2.0.0/16,10.3.0.0/16,.c.tradewind.internal,.svc,.cluster.local,s3.example,10.0.0.0/16";
    const cluster = clusterWith({ httpsProxy, noProxy: ["s3.example"] });
    const worker = (of: typeof cluster) => {
        const machine = { name: "c-a-0", address: "10.0.0.21" };
        return diffable(
            workerConfig(of, of.workerPools[0]!, { machine, downloads, ca: "CA", bootstrapToken: "token" }),
        );
    };

    it("is used by everything on a machine that downloads, except for the cluster's own names and networks", () => {
        const texts = worker(cluster);
        assert.equal(
            texts["/etc/tradewind/proxy.env"],
            `mode 0644\nHTTPS_PROXY=${httpsProxy}\nNO_PROXY=${direct}\nhttps_proxy=${httpsProxy}\nno_proxy=${direct}\n`,
        );
        const users = Object.keys(texts).filter((path) =>
            texts[path]!.includes("EnvironmentFile=/etc/tradewind/proxy.env"),
        );
        assert.deepEqual(users.sort(), [
            ...["cni-plugins", "containerd", "kubelet"].map((name) => `${name}.service.d/20-proxy.conf`),
            "preflight.service",
        ]);
        const receiver = bootstrapReceiver(cluster, { certificate: { cert: "", key: "" }, agent: "" });
        assert.match(
            diffable(receiver)["bootstrap-receiver.service"]!,
            /^EnvironmentFile=\/etc\/tradewind\/proxy\.env$/m,
        );
    });

    it("is used by agents that download, in the same way", () => {
        const pool = { pool: "a", downloads, maxUnavailable: 1 };
        const envOf = (of: typeof cluster) => {
            const [, daemonSet] = nodeAgent(of, pool, "");
            return (podSpecOf(daemonSet!)!.containers as { env: { name: string; value?: string }[] }[])[0]!.env;
        };
        const env = Object.fromEntries(envOf(cluster).map(({ name, value }) => [name, value]));
        assert.deepEqual([env.HTTPS_PROXY, env.NO_PROXY, env.NODE_USE_ENV_PROXY], [httpsProxy, direct, "1"]);
        assert.doesNotMatch(JSON.stringify(envOf(clusterWith())), /PROXY/);
    });

    it("leaves no trace without the option", () =>
        assert.doesNotMatch(JSON.stringify(worker(clusterWith())), /proxy\.env/));

    it("is taken by curl from these variables, and is left out for a block", async () => {
        const asked: string[] = [];
        const server = createServer((request, response) => {
            asked.push(request.url!);
            response.end("by proxy");
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        try {
            const httpProxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
            const env = { ...process.env, ...proxyVariables(clusterWith({ httpProxy }).proxy!) };
            const curl = (url: string) =>
                promisify(execFile)("curl", ["-fsS", "--max-time", "5", "--connect-timeout", "1", url], { env });
            assert.equal((await curl("http://outside.invalid/file")).stdout, "by proxy");
            await assert.rejects(curl("http://node.c.tradewind.internal/file"));
            await curl(`${httpProxy}/own`);
            assert.deepEqual(asked, ["http://outside.invalid/file", "/own"]);
        } finally {
            server.close();
        }
    });

    const wrong: [object, RegExp][] = [
        [{}, /^Error: proxy must be an object with httpProxy, httpsProxy or both \(got \{\}\)/],
        [{ noProxy: ["a.example"] }, /^Error: proxy must be an object with/],
        [{ httpProxy: "proxy.example:3128" }, /^Error: proxy\.httpProxy must be an http:\/\/ URL of a host/],
        [{ httpsProxy: "https://proxy.example" }, /^Error: proxy\.httpsProxy must be an http/],
        [{ httpsProxy, noProxy: ["a.example,b.example"] }, /^Error: proxy\.noProxy\[0\] must be a host, a domain/],
        [{ httpsProxy, noProxy: ["*"] }, /^Error: proxy\.noProxy\[0\] must be/],
    ];
    for (const [proxy, message] of wrong) {
        it(`may not be ${JSON.stringify(proxy)}`, () => assert.throws(() => clusterWith(proxy), message));
    }

    it("may have no credentials, which the error does not print", () => {
        assert.throws(
            () => clusterWith({ httpProxy: "http://me:hush@proxy.example:3128" }),
            ({ message }: Error) => /without credentials/.test(message) && !message.includes("hush"),
        );
    });
});
