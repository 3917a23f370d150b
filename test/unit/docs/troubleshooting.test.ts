import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, textOf } from "./pages";

const text = textOf("docs/troubleshooting.md");

/** What the code may say and what tests look for, without quotes, line ends and escapes that only a source has. */
const said = ["agents", "artifacts", "cli", "components", "machines", "stacks", "test"]
    .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
            .filter((name) => /\.(ts|golden\.txt)$/.test(name) && !name.includes("node_modules"))
            .map((name) => readFileSync(join(root, folder, name), "utf8")),
    )
    .join("\n")
    .replaceAll(/["`] ?\+?\s*\n\s*["`]/g, "")
    .replaceAll("\\", "");

describe("the page about troubles", () => {
    const messages = [...text.matchAll(/^```\n([\s\S]*?)^```/gm)].flatMap(([, block]) => block!.trim().split("\n"));

    it("quotes only what the code says or tests look for, but for what varies", () => {
        assert.ok(messages.length > 25);
        // Of a part that is a word or two, every source has some.
        const parts = messages.flatMap((message) => message.split("…").map((part) => part.trim()));
        const unknown = parts.filter((part) => part.length > 6 && !said.includes(part));
        assert.deepEqual(unknown, []);
    });

    it("names the test of every entry", () => {
        const entries = text.split(/^##+ /m).filter((entry) => entry.includes("```\n"));
        assert.ok(entries.length > 20);
        const untried = entries
            .filter((entry) => !/^_Tried_: `test\//m.test(entry))
            .map((entry) => entry.split("\n")[0]);
        assert.deepEqual(untried, []);
    });

    it("has every finding of status, and no other", () => {
        const judges = readdirSync(join(root, "cli/status/judge")).map((name) =>
            readFileSync(join(root, "cli/status/judge", name), "utf8"),
        );
        const codes = judges.flatMap((source) =>
            [...source.matchAll(/\b(?:critical|warning|report)\(\s*"([a-z-]+)"/g)].map(([, code]) => code!),
        );
        const table = text.split("## `status` finds something")[1]!.split("\n## ")[0]!;
        const named = [...table.matchAll(/^\| (`.*?`) +\|/gm)].flatMap(([, cell]) =>
            cell!.replaceAll("`", "").split(", "),
        );
        assert.deepEqual(named.sort(), [...new Set(codes)].sort());
    });
});
