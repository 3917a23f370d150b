import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { golden, goldenChange } from "./golden";

describe("a golden file", () => {
    const folder = mkdtempSync(join(tmpdir(), "golden-"));
    const asked = process.env.UPDATE_GOLDEN;
    const update = (on: boolean) => {
        if (on) process.env.UPDATE_GOLDEN = "1";
        else delete process.env.UPDATE_GOLDEN;
    };
    const restore = () => {
        update(false);
        if (asked !== undefined) process.env.UPDATE_GOLDEN = asked;
    };
    afterEach(restore);
    after(() => rmSync(folder, { recursive: true }));

    it("that does not exist fails the test", () => {
        update(false);
        assert.throws(() => golden(folder, "none", { a: 1 }), /none\.golden\.json differs/);
    });

    it("is only written on request, and then compared", () => {
        update(true);
        golden(folder, "object", { a: 1 });
        golden(folder, "text", "one\n");
        update(false);
        golden(folder, "object", { a: 1 });
        assert.equal(readFileSync(join(folder, "golden/text.golden.txt"), "utf8"), "one\n");
        assert.throws(() => golden(folder, "object", { a: 2 }), { expected: '{\n    "a": 1\n}\n' });
        assert.throws(() => golden(folder, "text", "two\n"), { actual: "two\n", expected: "one\n" });
    });

    it("of a change has a line for each value that differs, items of lists by name", () => {
        const pod = (args: string[], more: object) => ({
            kind: "Pod",
            metadata: { name: "a", ...more },
            spec: { containers: [{ name: "b", args }] },
        });
        update(true);
        goldenChange(folder, "change", [pod(["--v=1", "-x"], {})], [pod(["-x", "--v=2"], { labels: {} })]);
        assert.equal(
            readFileSync(join(folder, "golden/change.golden.txt"), "utf8"),
            `+ Pod a.metadata.labels: {}
- Pod a.spec.containers[b].args[]: "--v=1"
+ Pod a.spec.containers[b].args[]: "--v=2"
`,
        );
        update(false);
        assert.throws(() => goldenChange(folder, "change", [], []), /change\.golden\.txt differs/);
    });
});
