import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
    existsSync,
    lstatSync,
    mkdtempSync,
    readFileSync,
    rmSync,
    statSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filePath } from "../../../../cli/bundle/about";
import { openBundle } from "../../../../cli/bundle/archive";
import { membersOf } from "../../../../cli/bundle/members";
import type { Needed } from "../../../../cli/bundle/needed";
import { readImage } from "../../../../cli/bundle/registry-images";
import { writeBundle } from "../../../../cli/bundle/write";
import { tar } from "../../../../machines/tar";
import { FakeSites, shaOf } from "./fake-sites";

const url = "https://dl.k8s.io/v1.37.1/bin/linux/amd64/kubelet";

describe("a bundle", () => {
    const sites = new FakeSites();
    let from: string;
    let folder: string;
    let said: string[];
    before(async () => {
        from = await sites.start();
    });
    after(() => sites.stop());
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-bundle-"));
        said = [];
        sites.replaced.clear();
        sites.requests.length = 0;
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const neededFor = (...images: readonly string[]): Needed => ({
        kubernetes: ["1.37.1"],
        architectures: ["amd64"],
        images,
        files: [{ url, sha256: shaOf(`file /${filePath(url)}`) }],
    });
    const write = async (name: string, needed: Needed) => {
        const path = join(folder, name);
        const images = await Promise.all(needed.images.map((image) => readImage(image, needed.architectures, from)));
        const say = (line: string) => void said.push(line);
        const written = await writeBundle(path, membersOf(needed, images, "0.1.0", from), { say, pauses: [1, 1] });
        return { path, ...written };
    };
    const [one, two] = ["registry.k8s.io/pause:1", "registry.k8s.io/pause:2"] as const;
    const whole = () => write("whole.tar", neededFor(one, two));
    const rejects = (path: string, message: RegExp) => assert.rejects(openBundle(path), message);

    it("is the same file if its images and files are the same", async () => {
        const [first, second] = [await whole(), await write("second.tar", neededFor(one, two))];
        assert.equal(first.digest, second.digest);
        assert(readFileSync(first.path).equals(readFileSync(second.path)));
        assert.notEqual((await write("other.tar", neededFor(one))).digest, first.digest);
    });

    it("is an OCI layout with checksums that tar and sha256sum read", async () => {
        const { path } = await whole();
        execFileSync("tar", ["-xf", path, "-C", folder]);
        execFileSync("sha256sum", ["--check", "--quiet", "--strict", "SHA256SUMS"], { cwd: folder });
        const json = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8"));
        assert.deepEqual(json("oci-layout"), { imageLayoutVersion: "1.0.0" });
        const { manifests } = json("index.json");
        const names = manifests.map((each: { annotations: object }) => Object.values(each.annotations));
        assert.deepEqual(
            names,
            [one, two].map((name) => [name, name]),
        );
        const index = json(`blobs/${manifests[0].digest.replace(":", "/")}`);
        const manifest = json(`blobs/${index.manifests[0].digest.replace(":", "/")}`);
        const layer = `blobs/${manifest.layers[1].digest.replace(":", "/")}`;
        assert.equal(readFileSync(join(folder, layer), "utf8"), sites.layerOf("pause", "1"));
        // For another architecture than the bundle's.
        assert(!existsSync(join(folder, `blobs/${index.manifests[1].digest.replace(":", "/")}`)));
        assert.equal(readFileSync(join(folder, filePath(url)), "utf8"), `file /${filePath(url)}`);
    });

    it("has a layer that several images share once", async () => {
        const { path } = await whole();
        const listed = execFileSync("tar", ["-tf", path], { encoding: "utf8" }).trim().split("\n");
        assert.equal(new Set(listed).size, listed.length);
        const fetched = sites.requests.filter((each) => each.includes("/blobs/"));
        assert.equal(new Set(fetched.map((each) => each.split("/").pop())).size, fetched.length);
    });

    it("has a bill of materials with each image and file, and their checksums", async () => {
        const { handle, text } = await openBundle((await whole()).path);
        const { bomFormat, specVersion, components } = JSON.parse(await text("sbom.cdx.json"));
        const { images } = JSON.parse(await text("bundle.json"));
        await handle.close();
        assert.deepEqual([bomFormat, specVersion], ["CycloneDX", "1.5"]);
        const hashes = components.map((each: { hashes: { content: string }[] }) => each.hashes[0]!.content);
        const digests = images.map(({ digest }: { digest: string }) => digest.slice(7));
        assert.deepEqual(hashes, [...digests, shaOf(`file /${filePath(url)}`)]);
        assert.equal(
            components[0].purl,
            `pkg:oci/pause@sha256%3A${digests[0]}?repository_url=registry.k8s.io%2Fpause&tag=1`,
        );
        assert.deepEqual(components.at(-1).externalReferences, [{ type: "distribution", url }]);
        const refs = components.map((each: { "bom-ref": string }) => each["bom-ref"]);
        assert.equal(new Set(refs).size, 3);
    });

    it("is refused if any byte of it was changed, with the file's name", async () => {
        const { path } = await whole();
        const bytes = readFileSync(path);
        const changed = join(folder, "changed.tar");
        // A prime, so that headers, contents, and what follows them are all met.
        for (let at = 0; at < bytes.length; at += 251) {
            const copy = Buffer.from(bytes);
            copy[at]! ^= 1;
            writeFileSync(changed, copy);
            await rejects(changed, /^Error: \S+\/changed\.tar must be a complete bundle: /);
        }
        const layer = bytes.indexOf("layer of pause:2");
        bytes[layer]! ^= 1;
        writeFileSync(changed, bytes);
        const { digest } = { digest: shaOf(sites.layerOf("pause", "2")) };
        await rejects(changed, new RegExp(`bundle: blobs/sha256/${digest} must have SHA-256 ${digest} \\(got `));
    });

    it("is refused if it is truncated, wherever", async () => {
        const bytes = readFileSync((await whole()).path);
        const short = join(folder, "short.tar");
        for (let size = 0; size < bytes.length; size += 509) {
            writeFileSync(short, bytes.subarray(0, size));
            await rejects(short, /short\.tar must be a complete bundle: it /);
        }
        writeFileSync(short, Buffer.concat([bytes, Buffer.alloc(512)]));
        await rejects(short, /it must end at byte \d+ \(got \d+\)$/);
    });

    it("is refused if a file was added or left out, or is none of a bundle", async () => {
        const path = join(folder, "made.tar");
        const made = (...names: readonly string[]) => {
            const sums = `${shaOf("x")}  a\n${shaOf("x")}  b\n`;
            const files = names.map((name) => ({ path: name, contents: "x" }));
            writeFileSync(path, tar([{ path: "SHA256SUMS", contents: sums }, ...files]));
        };
        for (const [names, message] of [
            [["a", "b", "c"], /c is not in SHA256SUMS$/],
            [["a", "b", "a"], /a is in it twice$/],
            [["a"], /it lacks b$/],
        ] as const) {
            made(...names);
            await rejects(path, message);
        }
        writeFileSync(path, tar([{ path: "index.json", contents: "{}" }]));
        await rejects(path, /its first file must be SHA256SUMS \(got index\.json\)$/);
        writeFileSync(path, "no archive".repeat(100));
        await rejects(path, /it has no file of a bundle at byte 0$/);
        await rejects(join(folder, "none.tar"), /^Error: cannot read \S+none\.tar: ENOENT/);
        await rejects(folder, /EISDIR/);
    });

    it("is refused if its checksums were changed together with a file, if its digest is known", async () => {
        const { digest } = await whole();
        sites.replaced.set(`/${filePath(url)}`, "another kubelet");
        const needed = { ...neededFor(one, two), files: [{ url, sha256: shaOf("another kubelet") }] };
        const { path, digest: other } = await write("other.tar", needed);
        await (await openBundle(path)).handle.close();
        await assert.rejects(openBundle(path, digest), {
            message: `${path} must be a complete bundle: its digest must be ${digest} (got ${other})`,
        });
    });

    it("is not written if a site has another file, and says which", async () => {
        sites.replaced.set(`/${filePath(url)}`, "another kubelet");
        await assert.rejects(whole(), {
            message: `${from}/${filePath(url)} must have SHA-256 ${neededFor().files[0]!.sha256} (got ${shaOf("another kubelet")})`,
        });
        assert(!existsSync(join(folder, "whole.tar")));
        assert.equal(sites.requests.filter((each) => each === `/${filePath(url)}`).length, 3);
        // The rest is kept.
        sites.replaced.clear();
        said.length = 0;
        await whole();
        assert.match(said[0]!, /^resuming after \d+\.\d MB of an earlier run$/);
        assert(!existsSync(join(folder, "whole.tar.partial")));
    });

    it("is written where a symbolic link leads, which stays one", async () => {
        const [link, target] = [join(folder, "link.tar"), join(folder, "target.tar")];
        writeFileSync(target, "an earlier one");
        symlinkSync(target, link);
        const { digest } = await write("link.tar", neededFor(one));
        assert.ok(lstatSync(link).isSymbolicLink());
        const opened = await openBundle(target, digest);
        await opened.handle.close();
    });

    it("is not written in place of something that is no file", async () => {
        const pipe = join(folder, "pipe");
        execFileSync("mkfifo", [pipe]);
        await assert.rejects(writeBundle(pipe, [], { say: () => {} }), /--output must be a file \(got \S+pipe\)/);
        assert.ok(statSync(pipe).isFIFO());
    });

    it("is not written without an image for its architecture", async () => {
        const image = neededFor(one);
        await assert.rejects(write("x.tar", { ...image, architectures: ["s390x" as "amd64"] }), {
            message: `${one} must have a manifest for linux/s390x (got none)`,
        });
        sites.replaced.set("/v2/pause/manifests/1", undefined);
        await assert.rejects(whole(), /\/v2\/pause\/manifests\/1\?ns=registry\.k8s\.io answers 404$/);
    });

    it("is not written from a registry that answers something else", async () => {
        const digest = `sha256:${"a".repeat(64)}`;
        for (const [answer, message] of [
            ["<html>\n</html>", "its manifest must be a JSON object (got <html>; </html>)"],
            ["null", "its manifest must be a JSON object (got null)"],
            ["{}", "its manifest must have layers or manifests (got neither)"],
            ['{"layers":{}}', "its manifest: layers must be a list (got {})"],
            ['{"layers":[null]}', "its manifest: layers[0].mediaType must be a media type (got undefined)"],
            [
                `{"manifests":[{"mediaType":"x","size":1,"digest":"md5:a"}]}`,
                'its manifest: manifests[0].digest must be sha256: and 64 hexadecimal digits (got "md5:a")',
            ],
            [
                `{"manifests":[{"mediaType":"x","size":1,"digest":"${digest}"}]}`,
                `${one} must have a manifest for linux/amd64 (got none)`,
            ],
        ] as const) {
            sites.replaced.set("/v2/pause/manifests/1", answer);
            await assert.rejects(whole(), { message });
        }
    });

    it("does not keep what an interrupted run wrote of another bundle", async () => {
        sites.replaced.set(`/${filePath(url)}`, undefined);
        await assert.rejects(write("x.tar", neededFor(two)), /answers 404$/);
        sites.replaced.clear();
        const { path } = await write("x.tar", neededFor(one));
        assert.equal(readFileSync(path, "latin1").indexOf("layer of pause:2"), -1);
        await (await openBundle(path)).handle.close();
    });
});
