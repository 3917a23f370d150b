import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { releaseNotes } from "../../../../dev/release/notes";

const root = resolve(__dirname, "../../../..");

const changelog = `# Changes

## 0.2.0, 2027-01-31

- Something new.

### Security

- Something fixed.

## 0.1.0, 2026-12-24

The first version.
`;

describe("the notes of a release", () => {
    it("are the section of its version", () => {
        assert.equal(
            releaseNotes("v0.2.0", "0.2.0", changelog),
            "- Something new.\n\n### Security\n\n- Something fixed.",
        );
        assert.equal(releaseNotes("v0.1.0", "0.1.0", changelog), "The first version.");
    });

    for (const [what, [tag, version, text], message] of [
        ["a tag of another version", ["v0.1.0", "0.2.0", changelog], /^--tag must be v0\.2\.0, .* \(got v0\.1\.0\)$/],
        ["a version without a section", ["v0.3.0", "0.3.0", changelog], /"## 0\.3\.0, <date>" \(got none\)$/],
        [
            "a section without a date",
            ["v0.3.0", "0.3.0", "## 0.3.0, not released yet\n"],
            /\(got 0\.3\.0, not released yet\)$/,
        ],
    ] as const) {
        it(`refuse ${what}`, () => assert.throws(() => releaseNotes(tag, version, text), { message }));
    }

    it("are prepared for the version in package.json", () => {
        const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
        const dated = readFileSync(join(root, "CHANGELOG.md"), "utf8").replace("not released yet", "2026-12-24");
        assert.ok(releaseNotes(`v${version}`, version, dated).length > 1000);
    });
});
