import assert from "node:assert/strict";
import { Gathered } from "../../../../cli/support/gathered";

describe("what a support bundle is made of", () => {
    it("lies below one folder, with what could not be had", () => {
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

    it("has the end of what is too long, and says so", () => {
        const found = new Gathered();
        found.add("long.log", `${"x".repeat(9 * 2 ** 20)}the end`);
        const [{ contents } = {}] = found.entries("f");
        assert.match(String(contents).slice(0, 60), /^\[the first 1048583 characters are left out\]\n/);
        assert.ok(String(contents).endsWith("the end"));
    });

    it("has no half of a private key where it was cut", () => {
        const body = `${"A".repeat(64)}\n`.repeat(20);
        const found = new Gathered();
        const rest = "x".repeat(8 * 2 ** 20 - 700);
        found.add("long.log", `-----BEGIN PRIVATE KEY-----\n${body}-----END PRIVATE KEY-----\n${rest}`);
        assert.ok(!String(found.entries("f")[0]?.contents).includes("AAAA"));
    });
});
