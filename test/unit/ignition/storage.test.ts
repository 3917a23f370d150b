import assert from "node:assert/strict";
import fc from "fast-check";
import { config, directory, file, link, remoteFile, validate } from "../../../ignition";
import { dataUrl, decodeDataUrl, gzip, inlineContents } from "../../../ignition/data-url";

describe("file", () => {
    const anyContents = fc.oneof(fc.string({ unit: "grapheme" }), fc.uint8Array());

    it("carries its contents, text and bytes, plain and compressed", () => {
        fc.assert(
            fc.property(anyContents, fc.boolean(), (contents, compressed) => {
                const made = file("/a", contents, { gzip: compressed });
                assert.deepEqual(
                    inlineContents(made.contents!.source!, made.contents!.compression),
                    Buffer.from(contents as string),
                );
                assert.deepEqual(validate(config({ files: [made] })), []);
            }),
        );
    });

    it("includes a hash of its contents if requested", () => {
        const hash = "sha256-2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
        for (const gzip of [false, true]) {
            const made = file("/a", "hello", { gzip, verify: true });
            assert.deepEqual(made.contents?.verification, { hash });
            assert.deepEqual(validate(config({ files: [made] })), []);
        }
    });

    it("has owners by name or number, and a mode", () => {
        const { mode, user, group, overwrite } = file("/a", "", { mode: 0o600, user: "core", group: 500 });
        assert.deepEqual(
            { mode, user, group, overwrite },
            {
                mode: 0o600,
                user: { name: "core" },
                group: { id: 500 },
                overwrite: true,
            },
        );
    });
});

describe("remoteFile", () => {
    const sha256 = "ab".repeat(32);

    it("refuses a source without a hash", () => {
        assert.throws(() => remoteFile("/a", "https://x/", {}), {
            message: "/a must have a sha256 or sha512 (got neither)",
        });
    });

    it("pins the hash", () => {
        const made = remoteFile("/a", "https://x/", { sha256 });
        assert.deepEqual(made.contents, { source: "https://x/", verification: { hash: `sha256-${sha256}` } });
        assert.deepEqual(validate(config({ files: [made] })), []);
    });
});

describe("directory and link", () => {
    it("make what Ignition takes", () => {
        const made = config({ directories: [directory("/d")], links: [link("/l", "/d/f", { hard: true })] });
        assert.deepEqual(made.storage, {
            directories: [{ path: "/d", mode: 0o755 }],
            links: [{ path: "/l", overwrite: true, target: "/d/f", hard: true }],
        });
        assert.deepEqual(validate(made), []);
    });
});

describe("dataUrl", () => {
    it("takes the shorter of the two forms", () => {
        assert.equal(dataUrl("a=b/c:d\n"), "data:,a=b/c:d%0A");
        assert.equal(dataUrl("{ { { {"), "data:;base64,eyB7IHsgew==");
    });
});

describe("decodeDataUrl", () => {
    it("reads what Ignition reads", () => {
        for (const url of [
            "data:,hi",
            "data:text/plain;charset=utf-8,h%69",
            "data:;base64,aGk=",
            "data:;base64,a\nGk=",
        ]) {
            assert.equal(decodeDataUrl(url)?.toString(), "hi", url);
        }
        assert.deepEqual(decodeDataUrl("data:,%FF"), Buffer.from([0xff]));
    });

    it("reads nothing else", () => {
        for (const url of ["https://x/,", "data:hi", "data:,a b", "data:,%z", "data:;base64,a", "data:foo/bar,hi"]) {
            assert.equal(decodeDataUrl(url), undefined, url);
        }
    });
});

describe("gzip", () => {
    it("gives the same bytes each time, without time or system", () => {
        assert.deepEqual(gzip("x".repeat(1000)), gzip("x".repeat(1000)));
        assert.deepEqual([...gzip("x").subarray(4, 10)], [0, 0, 0, 0, 2, 255]);
    });
});
