import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "./pages";

/** Where the type-checked copy of a page's sample is. */
const samples = { "README.md": "readme.ts", "docs/package.md": "package.ts" };

describe("programs in the documentation", () => {
    for (const [page, name] of Object.entries(samples)) {
        it(`are type-checked, in ${page}`, () => {
            const [first = ""] = [...textOf(page).matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, block]) => block!);
            assert.match(first, /^import \{ AwsCluster \} from "tradewind";/);
            assert.equal(programOf(readFileSync(join(__dirname, "samples", name), "utf8")), first);
        });
    }

    it("are self-contained in the README", () => {
        const sample = readFileSync(join(__dirname, "samples", samples["README.md"]), "utf8");
        assert.doesNotMatch(sample, /\bdeclare\b/);
    });
});

/** A sample as on its page: without the first comment and declarations for the type check. */
function programOf(sample: string): string {
    return sample
        .replace(/^\/\/.*\n/, "")
        .replace(/^import type .*\n/gm, "")
        .replace(/^declare .*\n\n?/gm, "")
        .replace('"../../../../index"', '"tradewind"');
}
