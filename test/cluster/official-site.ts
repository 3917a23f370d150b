import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, createReadStream, linkSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expand } from "../../artifacts/download";
import { builder, kubernetes, parts } from "../../artifacts/lock";
import type { Part } from "../../artifacts/part";
import { binaryPlace, cacheDir } from "../../cache";
import { bundled, launcherOf } from "../../simulator/plugins/stand-in";
import { versions } from "../../versions";

/**
 * The sites of all projects on one local address, `/HOST/PATH` and, for registries, `/v2/HOST/REPOSITORY` and
 * `/HOST/v2/REPOSITORY`: files in the layout of their releases, with checksums as they publish them, and their images.
 * The contents are those that the machine's own cache has, built here.
 */
export class OfficialSite {
    readonly #files = new Map<string, string>();
    #registry?: ChildProcess;
    #server?: Server;
    /** Requests by path. */
    readonly requests: string[] = [];

    /** @param folder - for its files, on the cache's file system, as most are links */
    constructor(private readonly folder: string) {}

    async start(): Promise<void> {
        for (const part of [...Object.values(parts), kubernetes(versions.kubernetes)]) await this.#publish(part);
        const registryPort = await this.#startRegistry();
        this.#server = createServer(({ url = "/", method, headers }, response) => {
            this.requests.push(url);
            const [, site, host, image] = /^(?:\/([^/]+)\/v2|\/v2\/([^/]+))\/(.*)$/.exec(url) ?? [];
            const file = this.#files.get(url);
            if (file !== undefined) {
                createReadStream(file).pipe(response);
            } else if (url === "/v2/" || image !== undefined) {
                const path = `/v2/${image ?? ""}`;
                const onward = request({ port: registryPort, host: "127.0.0.1", path, method, headers }, (answer) => {
                    const { location } = answer.headers;
                    const prefix = site === undefined ? `/v2/${host}/` : `/${site}/v2/`;
                    if (location !== undefined) answer.headers.location = location.replace("/v2/", prefix);
                    response.writeHead(answer.statusCode!, answer.headers);
                    answer.pipe(response);
                });
                onward.on("error", () => response.writeHead(502).end());
                (response as ServerResponse).req.pipe(onward);
            } else {
                response.writeHead(method === "HEAD" ? 200 : 404).end();
            }
        });
        await once(this.#server.listen(0, "127.0.0.1"), "listening");
    }

    get port(): number {
        return (this.#server!.address() as AddressInfo).port;
    }

    stop(): void {
        this.#server?.closeAllConnections();
        this.#server?.close();
        this.#registry?.kill();
    }

    /** Makes an image with Debian, Go and a C compiler from what this machine has, as the builder's is. */
    async makeBuilder(): Promise<void> {
        const name = `127.0.0.1:${this.port}/${builder.image}`;
        const docker = async (...args: string[]) => (await promisify(execFile)("docker", args)).stdout.trim();
        const base = await docker("import", join(cacheDir(), "rootfs", "debian.tar"));
        const script = "apt-get update -q && apt-get install -qy --no-install-recommends gcc libc6-dev pkg-config";
        const container = await docker("create", "--network", "host", base, "sh", "-c", script);
        try {
            const go = execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
            await docker("cp", go, `${container}:/usr/local/go`);
            const certificates = "/etc/ssl/certs/ca-certificates.crt";
            await docker("cp", "-L", certificates, `${container}:${certificates}`);
            await docker("start", "--attach", container);
            const env = "ENV PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
            await docker("commit", "--change", env, container, name);
            await docker("push", "--quiet", name);
        } finally {
            await docker("rm", "--force", container);
            await docker("image", "rm", "--force", name, base);
        }
    }

    async #startRegistry(): Promise<number> {
        const storage = join(this.folder, "registry");
        execFileSync("cp", ["-al", join(cacheDir(), "registry"), storage]);
        const port = 20_000 + (process.pid % 20_000);
        const config = join(this.folder, "registry.yml");
        const settings = { version: "0.1", storage: { filesystem: { rootdirectory: storage } } };
        writeFileSync(config, JSON.stringify({ ...settings, http: { addr: `127.0.0.1:${port}`, relativeurls: true } }));
        this.#registry = spawn("docker-registry", ["serve", config], { stdio: "ignore" });
        return port;
    }

    async #publish(part: Part): Promise<void> {
        const { official } = part;
        if (official === undefined) return;
        const names = Object.keys(part.go.binaries);
        const cached = (name: string) => join(cacheDir(), binaryPlace(part, name));
        const publish = (template: string, binary: string, file: string) => {
            const url = expand(template, { binary });
            const sums = expand(official.checksum, { binary });
            const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
            const sum = join(this.folder, pathOf(sums));
            mkdirSync(dirname(sum), { recursive: true });
            writeFileSync(sum, `${digest}  ${url.split("/").pop()}\n`);
            this.#files.set(pathOf(url), file);
            this.#files.set(pathOf(sums), sum);
        };
        if (official.kind === "binaries") {
            for (const name of names) publish(official.url, name, cached(name));
            return;
        }
        const root = join(this.folder, "archives", part.name);
        const inside = join(root, expand(official.folder ?? "."));
        mkdirSync(inside, { recursive: true });
        for (const name of names) linkSync(cached(name), join(inside, name));
        for (const name of official.extra ?? []) {
            writeFileSync(join(inside, name), launcherOf(await bundled({ folder: "plugins/nodejs" })));
            chmodSync(join(inside, name), 0o755);
        }
        const archive = `${root}.tar.gz`;
        execFileSync("tar", ["--use-compress-program=gzip -1", "-C", root, "-cf", archive, "."]);
        publish(official.url, "", archive);
    }
}

/** Where a site's URL is served. */
export function pathOf(official: string): string {
    const { host, pathname } = new URL(official);
    return `/${host}${pathname}`;
}
