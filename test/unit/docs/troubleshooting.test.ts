import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, textOf } from "./pages";
import { entriesOf, partsOf, readable } from "./troubleshooting-entries";

const text = textOf("docs/troubleshooting.md");

/** Headings of groups of entries, without tests of their own. */
const groups = [
    "# Troubleshooting",
    "`npm start` fails at once",
    "A preview fails",
    "A first `up` on a cloud does not finish",
    "An `up` fails",
    "A destroy does not finish",
    "Nodes",
    "Requests are refused",
];

const entries = entriesOf(text);

describe("the troubleshooting page", () => {
    it("names the test of every entry", () => {
        const untried = entries.filter(({ title, tried }) => !groups.includes(title) && tried.length === 0);
        assert.deepEqual(
            untried.map(({ title }) => title),
            [],
        );
    });

    it("quotes messages that the named tests or their goldens contain", () => {
        assert.ok(entries.flatMap(({ messages }) => messages).length > 25);
        const notLookedFor = entries.flatMap(({ title, messages, tried }) => {
            const tests = readable(tried);
            return messages.flatMap(partsOf).flatMap((part) => (tests.includes(part) ? [] : [`${title}: ${part}`]));
        });
        assert.deepEqual(notLookedFor, []);
    });
});

describe("the page about status", () => {
    it("lists every finding of status, and no other", () => {
        const judges = readdirSync(join(root, "cli/status/judge")).map((name) =>
            readFileSync(join(root, "cli/status/judge", name), "utf8"),
        );
        const codes = judges.flatMap((source) =>
            [...source.matchAll(/\b(?:critical|warning|report)\(\s*"([a-z-]+)"/g)].map(([, code]) => code!),
        );
        const table = textOf("docs/status.md").split("\n## Findings\n")[1]!.split("\n## ")[0]!;
        const named = [...table.matchAll(/^\| (`.*?`) +\|/gm)].flatMap(([, cell]) =>
            cell!.replaceAll("`", "").split(", "),
        );
        assert.deepEqual(named.sort(), [...new Set(codes)].sort());
    });
});
