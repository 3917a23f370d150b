import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { platform } from "../../../artifacts/download";
import { fillItems } from "../../../artifacts/fill";
import { pullImage } from "../../../artifacts/pull";
import { officialSites } from "../../../artifacts/sites";
import { cacheDir } from "../../../cache";
import { byBuiltDigest } from "../../../cache/built-digests";
import { RepositoryClient, repositoryUrl } from "../../../clients/registry";
import { countingItem, useEmptyCache } from "./cache";

const shaOf = (text: string) => createHash("sha256").update(text).digest("hex");
const layer = "a layer";
const config = "{}";
const own = JSON.stringify({
    schemaVersion: 2,
    config: { digest: `sha256:${shaOf(config)}`, size: config.length },
    layers: [{ digest: `sha256:${shaOf(layer)}`, size: layer.length }],
});
const index = JSON.stringify({
    schemaVersion: 2,
    manifests: [
        { digest: `sha256:${"0".repeat(64)}`, platform: { os: "linux", architecture: "s390x" } },
        { digest: `sha256:${shaOf(own)}`, platform: { os: "linux", architecture: platform().arch } },
    ],
});
const image = "docker.io/library/tool:1";
const scope = "repository:library/tool:pull";

describe("a published image", () => {
    useEmptyCache();
    let server: Server;
    let isOpen: boolean;
    let said: string;
    let served: Record<string, string>;
    const at = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const localUrl = (official: string) => `${at()}${new URL(official).pathname}`;
    const digest = (tag: string) => new RepositoryClient(localUrl(repositoryUrl(image))).manifest(tag);

    before(async () => {
        server = createServer(({ url, headers }, response) => {
            const { pathname, searchParams } = new URL(url!, at());
            if (pathname === "/token") {
                const isRight = searchParams.get("scope") === scope && searchParams.get("service") === "hub";
                response.writeHead(isRight ? 200 : 400).end('{"token":"t"}');
            } else if (!isOpen && headers.authorization !== "Bearer t") {
                const challenge = `Bearer realm="${at()}/token",service="hub",scope="${scope}"`;
                response.writeHead(401, { "www-authenticate": challenge }).end();
            } else if (served[pathname] !== undefined) {
                const isTag = pathname.endsWith("manifests/1");
                response.writeHead(200, isTag ? { "docker-content-digest": `sha256:${said}` } : {});
                response.end(served[pathname]);
            } else {
                response.writeHead(404).end();
            }
        });
        await once(server.listen(0, "127.0.0.1"), "listening");
    });
    after(() => server.close());
    beforeEach(() => {
        [isOpen, said] = [true, shaOf(index)];
        const v2 = "/v2/library/tool";
        served = {
            [`${v2}/manifests/1`]: index,
            [`${v2}/manifests/sha256:${shaOf(index)}`]: index,
            [`${v2}/manifests/sha256:${shaOf(own)}`]: own,
            [`${v2}/blobs/sha256:${shaOf(config)}`]: config,
            [`${v2}/blobs/sha256:${shaOf(layer)}`]: layer,
        };
    });

    describe("its digest", () => {
        it("is that of its manifest for all architectures", async () => {
            assert.equal((await digest("1")).sha256, shaOf(index));
        });
        it("is read with a token where the registry requires one", async () => {
            isOpen = false;
            assert.equal((await digest("1")).sha256, shaOf(index));
        });
        it("is refused if the registry says another", async () => {
            said = "0".repeat(64);
            await assert.rejects(digest("1"), /has SHA-256 \w+, but its registry says sha256:0{64}$/);
        });
        it("is not found for a tag that does not exist", async () => {
            await assert.rejects(digest("0"), /manifests\/0 answers 404$/);
        });
    });

    /** Pulls it into the cache as a fill does. @param pinned - the lock's digest */
    const pull = (pinned?: string) => {
        const item = countingItem("image", {
            make: async (workshop) => ({
                source: "official",
                places: await pullImage(image, [image, "registry.k8s.io/alias:2"], workshop),
            }),
        });
        const sites = { ...officialSites, url: localUrl, sha256: () => pinned };
        return fillItems([item], { way: "online", sites, say: () => {} });
    };

    it("is stored under each of its names, with the digest that its publisher gives it", async () => {
        isOpen = false;
        await pull(shaOf(index));
        assert.equal(byBuiltDigest(image), `${image}@sha256:${shaOf(index)}`);
        assert.equal(byBuiltDigest("registry.k8s.io/alias:2"), `registry.k8s.io/alias:2@sha256:${shaOf(index)}`);
        const storage = join(cacheDir(), "registry/docker/registry/v2");
        for (const text of [index, own, config, layer]) {
            const blob = join(storage, "blobs/sha256", shaOf(text).slice(0, 2), shaOf(text), "data");
            assert.equal(readFileSync(blob, "utf8"), text);
        }
        for (const link of [`_manifests/revisions/sha256/${shaOf(own)}`, `_layers/sha256/${shaOf(layer)}`]) {
            assert(existsSync(join(storage, "repositories/library/tool", link, "link")), link);
        }
    });

    it("is pulled by its tag if the lock has no digest", async () => {
        await pull();
        assert.equal(byBuiltDigest(image), `${image}@sha256:${shaOf(index)}`);
    });

    it("is refused if it has another digest than the lock", async () => {
        served[`/v2/library/tool/manifests/sha256:${"1".repeat(64)}`] = index;
        await assert.rejects(pull("1".repeat(64)), /has SHA-256 \w+, but its registry says sha256:1{64}/);
    });

    it("is refused if a layer was replaced", async () => {
        served[`/v2/library/tool/blobs/sha256:${shaOf(layer)}`] = "another";
        await assert.rejects(
            pull(),
            new RegExp(`blob must have SHA-256 ${shaOf(layer)} \\(got ${shaOf("another")}\\)`),
        );
        assert.equal(byBuiltDigest(image), undefined);
    });

    it("is refused without one for this processor", async () => {
        served["/v2/library/tool/manifests/1"] = '{"manifests":[]}';
        said = shaOf('{"manifests":[]}');
        await assert.rejects(pull(), /docker.io\/library\/tool:1 must have a manifest for linux\/\w+ \(got none\)/);
    });
});
