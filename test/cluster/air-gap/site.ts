import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cacheDir } from "../../../cache";
import { versions } from "../../../versions";
import { freePort } from "../../free-port";

/** Images and files of the cache by the paths of `tradewind bundle --from`: stands for the sites of all projects. */
export class BundleSource {
    #registry?: ChildProcess;
    #server?: Server;

    constructor(private readonly folder: string) {}

    /** @returns its URL */
    async start(): Promise<string> {
        const registry = await this.#startRegistry();
        const cni = `v${versions.cniPlugins}`;
        this.#server = createServer(({ url = "/", method }, response) => {
            const [, version] = /^\/files\/dl\.k8s\.io\/(v[^/]+)\/bin\/linux\/amd64\/kubelet$/.exec(url) ?? [];
            const [, plugins] = /^\/files\/github\.com\/.*\/(cni-plugins-linux-amd64-[^/]+)$/.exec(url) ?? [];
            const file = version ? `kubernetes/${version}/kubelet` : plugins && `cni-plugins/${cni}/${plugins}`;
            if (url.startsWith("/v2/")) {
                response.writeHead(307, { location: `${registry}${url}` }).end();
            } else if (file && method === "GET") {
                createReadStream(join(cacheDir(), "files", file)).pipe(response);
            } else {
                response.writeHead(404).end();
            }
        });
        await once(this.#server.listen(0, "127.0.0.1"), "listening");
        return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    }

    stop(): void {
        this.#server?.closeAllConnections();
        this.#server?.close();
        this.#registry?.kill();
    }

    async #startRegistry(): Promise<string> {
        const address = `127.0.0.1:${await freePort()}`;
        const config = join(this.folder, "registry.json");
        const storage = {
            filesystem: { rootdirectory: join(cacheDir(), "registry") },
            maintenance: { readonly: { enabled: true }, uploadpurging: { enabled: false } },
        };
        writeFileSync(config, JSON.stringify({ version: "0.1", storage, http: { addr: address } }));
        this.#registry = spawn("docker-registry", ["serve", config], { stdio: "ignore" });
        for (const deadline = Date.now() + 10_000; ; await sleep(100)) {
            const answer = await fetch(`http://${address}/v2/`).catch(() => undefined);
            if (answer?.status === 200) return `http://${address}`;
            if (Date.now() > deadline) throw new Error("docker-registry: no answer within 10 s");
        }
    }
}
