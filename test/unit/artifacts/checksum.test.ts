import assert from "node:assert/strict";
import { findChecksum, keyOf } from "../../../artifacts/checksum";

const ours = "a".repeat(64);
const other = "b".repeat(64);

describe("findChecksum", () => {
    const cases: [title: string, published: string, expected: string | undefined][] = [
        ["accepts a bare digest", `${ours}\n`, ours],
        ["accepts a digest with the file's name", `${ours}  file.tgz\n`, ours],
        ["accepts a digest with the file's path, in binary mode", `${ours} *out/file.tgz\n`, ours],
        ["finds the file in a list", `${other}  other.tgz\n${ours}  file.tgz\n`, ours],
        ["lower-cases digests", `${ours.toUpperCase()}  file.tgz\n`, ours],
        ["returns nothing for a file that is not in the list", `${other}  other.tgz\n`, undefined],
        ["does not choose between two digests without names", `${ours}\n${other}\n`, undefined],
        ["does not take an HTML page for a checksum", "<html>not found</html>", undefined],
    ];
    for (const [title, published, expected] of cases) {
        it(title, () => assert.equal(findChecksum(published, "file.tgz"), expected));
    }
});

describe("keyOf", () => {
    it("differs when any input differs", () => {
        const keys = [keyOf("a", ["b"]), keyOf("a", ["c"]), keyOf("ab"), keyOf("a", "b"), keyOf("a", { b: 1 })];
        assert.equal(new Set(keys).size, keys.length);
    });

    it("is the same for the same inputs", () => {
        assert.equal(keyOf({ a: [1, "x"] }), keyOf({ a: [1, "x"] }));
    });
});
