import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root, textOf } from "./pages";

const rows = textOf("docs/bug-reports.md")
    .split("\n")
    .filter((line) => /^\| /.test(line) && !/^\| (-+|Report|Habit) /.test(line))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));

describe("the page about bug reports", () => {
    it("names an existing test for each report", () => {
        assert.ok(rows.length > 25);
        const tried = rows.filter(
            ([, , what, last]) => !what!.startsWith("**open**") && !last!.startsWith("tried by hand"),
        );
        const tests = tried.map(([, report, , last]) => ({
            report,
            paths: [...last!.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, path]) => path!),
        }));
        assert.deepEqual(
            tests.filter(({ paths }) => paths.length === 0).map(({ report }) => report),
            [],
        );
        assert.ok(tests.length > 45);
        const missing = tests.flatMap(({ paths }) => paths).filter((path) => !existsSync(join(root, path)));
        assert.deepEqual(missing, []);
    });
});
