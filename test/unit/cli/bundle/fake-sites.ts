import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export const shaOf = (text: string) => createHash("sha256").update(text).digest("hex");

const architectures = ["amd64", "arm64"] as const;

/** All registries and sites, at `bundle --from`: every image exists, with a layer of its own and one that all share. */
export class FakeSites {
    #server?: Server;
    readonly #blobs = new Map<string, string>();
    /** Requests by path. */
    readonly requests: string[] = [];
    /** Answers instead, by path. */
    readonly replaced = new Map<string, string | undefined>();
    /** Requests that contain this text get the beginning of an answer, and no end. */
    stalls?: string;

    async start(): Promise<string> {
        this.#server = createServer(({ url = "/", method }, response) => {
            const { pathname } = new URL(url, "http://sites");
            this.requests.push(pathname);
            const body = this.replaced.has(pathname) ? this.replaced.get(pathname) : this.#bodyOf(pathname);
            if (body === undefined) return response.writeHead(404).end();
            if (this.stalls && pathname.includes(this.stalls)) {
                response.writeHead(200, { "content-length": body.length });
                return response.write(body.slice(0, body.length / 2));
            }
            return response.writeHead(200).end(method === "HEAD" ? undefined : body);
        });
        await once(this.#server.listen(0, "127.0.0.1"), "listening");
        return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    }

    stop(): void {
        this.#server?.closeAllConnections();
        this.#server?.close();
    }

    /** A layer that only this image has. */
    layerOf(repository: string, tag: string): string {
        return `layer of ${repository}:${tag} `.repeat(400);
    }

    #bodyOf(path: string): string | undefined {
        const [, repository, kind, reference] = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(path) ?? [];
        if (repository === undefined || reference === undefined)
            return path.startsWith("/files/") ? `file ${path}` : undefined;
        if (kind === "manifests" && !reference.startsWith("sha256:")) return this.#imageOf(repository, reference);
        return this.#blobs.get(reference);
    }

    #imageOf(repository: string, tag: string): string {
        const manifests = architectures.map((architecture) => ({
            ...this.#keep(
                JSON.stringify({
                    schemaVersion: 2,
                    config: this.#keep(`{"of":"${repository}:${tag}","architecture":"${architecture}"}`),
                    layers: [
                        this.#keep(`base for ${architecture} `.repeat(4_000)),
                        this.#keep(this.layerOf(repository, tag)),
                    ],
                }),
            ),
            platform: { os: "linux", architecture },
        }));
        const index = JSON.stringify({ schemaVersion: 2, manifests });
        this.#keep(index);
        return index;
    }

    #keep(text: string) {
        const digest = `sha256:${shaOf(text)}`;
        this.#blobs.set(digest, text);
        return { mediaType: "application/vnd.oci.test", digest, size: text.length };
    }
}
