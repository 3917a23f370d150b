import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { filePath } from "../../../../cli/bundle/about";
import { type Bundle, openBundle } from "../../../../cli/bundle/archive";
import { membersOf } from "../../../../cli/bundle/members";
import { type Needed, neededBy } from "../../../../cli/bundle/needed";
import { readImage } from "../../../../cli/bundle/registry-images";
import { settingsFor } from "../../../../cli/bundle/serve";
import { answerFrom, type Contents, contentsOf } from "../../../../cli/bundle/server";
import { writeBundle } from "../../../../cli/bundle/write";
import { publishedCniPlugins, publishedKubelet } from "../../../../cluster/downloads";
import { FakeSites, shaOf } from "./fake-sites";

const name = "registry.k8s.io/pause:1";
const kubelet = (version: string) => publishedKubelet(version, "amd64");
const plugins = publishedCniPlugins("amd64").urls[0]!;

describe("the server of bundles", () => {
    const sites = new FakeSites();
    const folder = mkdtempSync(join(tmpdir(), "tradewind-bundle-server-"));
    let from: string;
    let bundles: Bundle[];
    let contents: Contents[];
    let server: Server;
    let at: string;
    const missed: string[] = [];

    const neededFor = (version: string, ...images: readonly string[]): Needed => ({
        kubernetes: [version],
        architectures: ["amd64"],
        images,
        files: [kubelet(version), plugins].map((url) => ({ url, sha256: shaOf(`file /${filePath(url)}`) })),
    });
    const write = async (file: string, needed: Needed, source: string) => {
        const images = await Promise.all(needed.images.map((image) => readImage(image, needed.architectures, source)));
        const path = join(folder, file);
        return { path, ...(await writeBundle(path, membersOf(needed, images, "0.1.0", source), { say: () => {} })) };
    };

    before(async () => {
        from = await sites.start();
        await write("old.tar", neededFor("1.36.3", name, "docker.io/library/tool:1"), from);
        await write("new.tar", neededFor("1.37.1", "registry.k8s.io/pause:2", "quay.io/library/tool:1"), from);
        bundles = await Promise.all(["old.tar", "new.tar"].map((file) => openBundle(join(folder, file))));
        contents = await Promise.all(bundles.map(contentsOf));
        server = createServer(answerFrom(contents, (line) => missed.push(line)));
        await once(server.listen(0, "127.0.0.1"), "listening");
        at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    after(async () => {
        sites.stop();
        server.closeAllConnections();
        server.close();
        for (const { handle } of bundles) await handle.close();
        rmSync(folder, { recursive: true });
    });
    beforeEach(() => {
        missed.length = 0;
    });

    const get = async (path: string, headers: Record<string, string> = {}, method = "GET") => {
        const answer = await fetch(`${at}${path}`, { headers, method });
        return { status: answer.status, headers: answer.headers, text: await answer.text() };
    };

    it("refuses a bundle whose checksums are right and whose descriptions are not", async () => {
        const about = { formatVersion: 1, tradewind: "0.1.0", kubernetes: ["1.37.1"], architectures: [], images: [] };
        const file = async (described: unknown, index?: unknown) => {
            const texts = { "bundle.json": described, ...(index !== undefined && { "index.json": index }) };
            const files = Object.entries(texts).map(([path, value]) => {
                const contents = typeof value === "string" ? value : JSON.stringify(value);
                return { path, contents, sha256: shaOf(contents) };
            });
            const sums = files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join("");
            const all = [{ path: "SHA256SUMS", contents: sums, sha256: shaOf(sums) }, ...files];
            await writeBundle(join(folder, "odd.tar"), all, { say: () => {} });
            return openBundle(join(folder, "odd.tar"));
        };
        const whole = { ...about, files: [] };
        for (const [described, index, message] of [
            ["no JSON", {}, "bundle.json must be a JSON object (got no JSON)"],
            ["null", {}, "bundle.json must be a JSON object (got null)"],
            ["", {}, "bundle.json must be a JSON object (got nothing)"],
            [{ formatVersion: 2 }, {}, "formatVersion must be 1 (got 2): use a newer Tradewind"],
            [about, {}, "bundle.json: files must be a list (got undefined)"],
            [
                { ...whole, kubernetes: [] },
                {},
                "bundle.json: kubernetes must be a list of at least one version (got [])",
            ],
            [whole, undefined, "it lacks index.json"],
            [whole, { manifests: [{}] }, "index.json: manifests[0].mediaType must be a media type (got undefined)"],
        ] as const) {
            const odd = await file(described, index);
            await assert.rejects(contentsOf(odd), { message: `${odd.file} must be a bundle: ${message}` });
            await odd.handle.close();
        }
    });

    it("is a source of the same bundle", async () => {
        const { digest } = await write("copy.tar", neededFor("1.36.3", name, "docker.io/library/tool:1"), at);
        assert.equal(digest, bundles[0]!.digest);
        assert.deepEqual(missed, []);
    });

    it("serves images by tag and by digest, with their types", async () => {
        assert.equal((await get("/v2/")).status, 200);
        const byTag = await get("/v2/pause/manifests/1?ns=registry.k8s.io");
        assert.equal(byTag.headers.get("content-type"), "application/vnd.oci.image.index.v1+json");
        const digest = byTag.headers.get("docker-content-digest")!;
        assert.equal(digest, `sha256:${shaOf(byTag.text)}`);
        assert.equal((await get(`/v2/pause/manifests/${digest}`)).text, byTag.text);
        const head = await get("/v2/pause/manifests/1?ns=registry.k8s.io", {}, "HEAD");
        assert.deepEqual(
            [head.status, head.headers.get("content-length"), head.text],
            [200, String(byTag.text.length), ""],
        );
        // Of the second bundle.
        assert.equal((await get("/v2/pause/manifests/2?ns=registry.k8s.io")).status, 200);
    });

    it("tells images of the same name of several registries apart", async () => {
        const [hub, quay] = [
            await get("/v2/library/tool/manifests/1?ns=docker.io"),
            await get("/v2/library/tool/manifests/1?ns=quay.io"),
        ];
        assert.deepEqual([hub.status, quay.status], [200, 200]);
        assert.equal((await get("/v2/library/tool/manifests/1?ns=ghcr.io")).status, 404);
        assert.equal((await get("/v2/library/tool/manifests/1")).status, 200);
    });

    it("serves parts of layers", async () => {
        const layer = sites.layerOf("pause", "1");
        const path = `/v2/pause/blobs/sha256:${shaOf(layer)}`;
        assert.equal((await get(path)).text, layer);
        const part = await get(path, { range: "bytes=10-19" });
        assert.deepEqual([part.status, part.text], [206, layer.slice(10, 20)]);
        assert.equal(part.headers.get("content-range"), `bytes 10-19/${layer.length}`);
        assert.equal((await get(path, { range: "bytes=100-" })).text, layer.slice(100));
        assert.equal((await get(path, { range: `bytes=${layer.length}-` })).status, 416);
    });

    it("serves files and descriptions by their paths", async () => {
        assert.equal((await get(`/${filePath(kubelet("1.37.1"))}`)).text, `file /${filePath(kubelet("1.37.1"))}`);
        assert.match((await get("/sbom.cdx.json")).text, /CycloneDX/);
    });

    it("refuses all else, and reports what is not in the bundles", async () => {
        assert.equal((await get("/v2/pause/manifests/9?ns=registry.k8s.io")).status, 404);
        assert.deepEqual(missed, ["not in the bundle: /v2/pause/manifests/9?ns=registry.k8s.io"]);
        for (const path of [
            "/",
            "/files/",
            "/../../etc/passwd",
            "/v2/pause/blobs/sha256:../../x",
            "/v2/pause/blobs/x/",
        ]) {
            assert.equal((await raw(path)).status, 404, path);
        }
        assert.equal((await raw("//")).status, 400);
        assert.equal((await get("/v2/pause/blobs/uploads/", {}, "POST")).status, 405);
    });

    /** As it is: `fetch` shortens paths. */
    const raw = (path: string) =>
        new Promise<{ status?: number }>((resolve, reject) => {
            const options = { host: "127.0.0.1", port: new URL(at).port, path };
            const sent = request(options, (answer) => {
                answer.resume();
                resolve({ status: answer.statusCode });
            });
            sent.on("error", reject).end();
        });

    it("serves what it has verified, not what replaced the file since", async () => {
        const layer = sites.layerOf("pause", "1");
        writeFileSync(join(folder, "replaced.tar"), "another file".repeat(10_000));
        renameSync(join(folder, "replaced.tar"), join(folder, "old.tar"));
        assert.equal((await get(`/v2/pause/blobs/sha256:${shaOf(layer)}`)).text, layer);
    });

    it("prints keys of stacks with the newest version", () => {
        const { config } = parse(settingsFor(contents, "http://10.0.0.5:5000"));
        const urlOf = (url: string) => `http://10.0.0.5:5000/${filePath(url)}`;
        const downloadOf = (url: string) => ({ urls: [urlOf(url)], sha256: shaOf(`file /${filePath(url)}`) });
        assert.deepEqual(config, {
            "tradewind:kubernetesVersion": "1.37.1",
            "tradewind:registryMirrors": [{ registry: "*", urls: ["http://10.0.0.5:5000"] }],
            "tradewind:downloads": { kubelet: downloadOf(kubelet("1.37.1")), cniPlugins: downloadOf(plugins) },
        });
    });

    it("prints keys for all files that a bundle has, by architecture", () => {
        const runtime = { containerRuntime: { containerd: { sha256: "1".repeat(64) } } };
        const config = { cloud: "aws", downloads: { ...runtime, arm64: runtime }, ecrPulls: true };
        const { files } = neededBy(config, ["amd64", "arm64"], ["1.37.1"]);
        const about = { ...contents[1]!.about, architectures: ["amd64", "arm64"] };
        const paths = files.map((each) => ({ ...each, path: filePath(each.url) }));
        const { config: keys } = parse(
            settingsFor([{ ...contents[1]!, about: { ...about, files: paths } }], "http://x"),
        );
        const { arm64, ...amd64 } = keys["tradewind:downloads"];
        for (const [architecture, own] of Object.entries({ amd64, arm64 })) {
            const { kubelet, cniPlugins, containerRuntime, ecrCredentialProvider } = own;
            const { containerd, runc } = containerRuntime;
            for (const { urls } of [kubelet, cniPlugins, containerd, runc, ecrCredentialProvider]) {
                assert.match(urls[0], new RegExp(`^http://x/files/.*\\b${architecture}\\b`));
            }
        }
    });

    it("refuses a bundle of a later format", async () => {
        const later = { ...bundles[0]!, text: async () => '{"formatVersion":2}' };
        await assert.rejects(
            contentsOf(later),
            /old\.tar must be a bundle: formatVersion must be 1 \(got 2\): use a newer Tradewind$/,
        );
    });
});
