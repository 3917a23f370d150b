import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { golden } from "./golden";

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
});
