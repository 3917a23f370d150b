import assert from "node:assert/strict";
import fc from "fast-check";
import { config, file, parse, render, size } from "../../../ignition";
import { decodeDataUrl, gzip, inlineContents } from "../../../ignition/data-url";
import { anyConfig } from "./arbitrary";

describe("render", () => {
    it("gives the same bytes whatever the order of keys", () => {
        const shuffled = (value: unknown): unknown => {
            if (Array.isArray(value)) return value.map(shuffled);
            if (typeof value !== "object" || value === null) return value;
            return Object.fromEntries(
                Object.entries(value)
                    .reverse()
                    .map(([key, item]) => [key, shuffled(item)]),
            );
        };
        fc.assert(fc.property(anyConfig, (value) => assert.equal(render(shuffled(value) as never), render(value))));
    });

    it("is read back as what was written", () => {
        fc.assert(fc.property(anyConfig, (value) => assert.equal(render(parse(render(value))), render(value))));
    });

    it("tells its size in bytes, not in characters", () => {
        const value = config({ files: [{ path: "/ä" }] });
        assert.equal(size(value), Buffer.byteLength(render(value)));
        assert(size(value) > render(value).length);
    });
});

describe("a file's contents", () => {
    it("come back from their data URL, text and bytes, plain and compressed", () => {
        fc.assert(
            fc.property(
                fc.oneof(fc.string({ unit: "grapheme" }), fc.uint8Array()),
                fc.boolean(),
                (contents, compressed) => {
                    const { source, compression } = file("/a", contents, { gzip: compressed }).contents!;
                    assert.deepEqual(inlineContents(source!, compression), Buffer.from(contents as string));
                },
            ),
        );
    });

    it("are compressed to the same bytes each time", () => {
        assert.deepEqual(gzip("x".repeat(1000)), gzip("x".repeat(1000)));
        assert.deepEqual([...gzip("x").subarray(4, 10)], [0, 0, 0, 0, 2, 255]);
    });

    it("are nothing for other URLs", () => {
        assert.equal(decodeDataUrl("https://example.com/,"), undefined);
    });
});
