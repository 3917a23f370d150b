import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "./pages";

/** Where the type check finds what a page has readers copy. */
const samples = { "README.md": "readme.ts", "docs/package.md": "package.ts" };

describe("programs in the documentation", () => {
    for (const [page, name] of Object.entries(samples)) {
        it(`are those that the type check has seen, in ${page}`, () => {
            const [first = ""] = [...textOf(page).matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, block]) => block!);
            assert.match(first, /^import \{ AwsCluster \} from "tradewind";/);
            assert.equal(programOf(readFileSync(join(__dirname, "samples", name), "utf8")), first);
        });
    }

    it("have nothing in the README that a reader would have to know from elsewhere", () => {
        const sample = readFileSync(join(__dirname, "samples", samples["README.md"]), "utf8");
        assert.doesNotMatch(sample, /\bdeclare\b/);
    });
});

/** A sample as its page has it: without the first comment and what is declared for the type check alone. */
function programOf(sample: string): string {
    return sample
        .replace(/^\/\/.*\n/, "")
        .replace(/^import type .*\n/gm, "")
        .replace(/^declare .*\n\n?/gm, "")
        .replace('"../../../../index"', '"tradewind"');
}
