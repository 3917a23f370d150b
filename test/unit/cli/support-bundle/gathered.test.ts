import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { Gathered } from "../../../../cli/support-bundle/gathered";

describe("the files of a support bundle", () => {
    it("are below one folder, with a list of missing ones", () => {
        const found = new Gathered();
        found.add("b.txt", "text");
        found.add("a.txt", "token: abcdefghijkl");
        found.miss("api", "it hangs");
        assert.deepEqual(found.missed, ["api: it hangs"]);
        assert.deepEqual(
            found.entries("c-support").map(({ path, contents, mode }) => [path, contents, mode]),
            [
                ["c-support/a.txt", "token: [blotted out]", 0o600],
                ["c-support/b.txt", "text", 0o600],
                ["c-support/missing.txt", "api: it hangs\n", 0o600],
            ],
        );
    });

    it("keep the end if they are too long, with a note", () => {
        const found = new Gathered();
        found.add("long.log", `${"x".repeat(9 * 2 ** 20)}the end`);
        const [{ contents } = {}] = found.entries("f");
        assert.match(String(contents).slice(0, 60), /^\[the first 1048583 characters are omitted\]\n/);
        assert.ok(String(contents).endsWith("the end"));
    });

    it("contain no part of a key that truncation would cut", () => {
        const { privateKey } = generateKeyPairSync("rsa", {
            modulusLength: 2048,
            publicKeyEncoding: { type: "spki", format: "pem" },
            privateKeyEncoding: { type: "pkcs8", format: "pem" },
        });
        const found = new Gathered();
        const rest = "x ".repeat(4 * 2 ** 20 - privateKey.length / 4);
        found.add("long.log", `${"y ".repeat(1000)}${privateKey}${rest}`);
        const [{ contents } = {}] = found.entries("f");
        for (const line of privateKey.trim().split("\n").slice(1)) assert.ok(!String(contents).includes(line), line);
    });
});
