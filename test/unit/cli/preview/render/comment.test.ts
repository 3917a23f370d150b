import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { previewOf, readEvents } from "../../../../../cli/preview/events";
import { isFailed } from "../../../../../cli/preview/model";
import { comment, type Previewed } from "../../../../../cli/preview/render/comment";
import { reviewed } from "../../../../engine/preview-comment/changes";
import { golden } from "../../../golden";

// Recorded from a real Pulumi engine by
// RECORD_EVENTS=1 npx mocha --timeout 400000 -r tsx/cjs test/engine/preview-comment.test.ts
const folder = join(__dirname, "../recorded");
const options = { project: "shop", limit: 65_536, rest: "in the log" };
const read = (file: string): Previewed => {
    const told = readEvents(readFileSync(join(folder, file), "utf8"), file);
    return { stack: "prod", preview: previewOf(told) };
};

describe("a comment from Pulumi's events", () => {
    const files = readdirSync(folder);

    it("exists for every recorded change, and for no other", () => {
        const named = Object.entries(reviewed).flatMap(([cloud, { changes }]) =>
            changes.map(({ name }) => `${cloud}-${name}`),
        );
        assert.deepEqual(files.sort(), named.map((name) => `${name}.jsonl`).sort());
        assert.deepEqual(
            readdirSync(join(__dirname, "golden")).sort(),
            named.map((name) => `${name}.golden.txt`).sort(),
        );
    });

    for (const file of files) {
        it(`is as reviewed: ${file}`, () => {
            const previewed = read(file);
            golden(
                __dirname,
                file.replace(".jsonl", ""),
                comment([{ ...previewed, ...(isFailed(previewed.preview!) && { failure: "" }) }], options),
            );
        });
    }

    it("contains every stack, and says which failed and why", () => {
        const text = comment(
            [
                { ...read(files[0]!), stack: "a" },
                { stack: "b", failure: "no such ``` stack" },
            ],
            options,
        );
        assert.match(text, /^<!-- tradewind preview: shop -->\n## `a`\n/);
        assert.match(text, /\n## ✗ `b`: the preview failed\n\n````text\nno such ``` stack\n````\n/);
    });

    it("distinguishes the clusters of a program", () => {
        const text = readFileSync(join(folder, "aws-upgrade.jsonl"), "utf8");
        const other = text.replaceAll(/(?<=::)test(?=[-/"])/g, "other");
        const both = readEvents(`${text}${other}`, "both");
        const preview = previewOf(both);
        const etcd = { severity: "info" as const, message: "etcd of a: 1.0.0 becomes 1.0.1", resource: "other" };
        const said = comment([{ stack: "prod", preview: { ...preview, diagnostics: [etcd] } }], options);
        const [, first = "", second = ""] = said.split("**Cluster `");
        assert.match(first, /^test`\*\*[\s\S]*`test-fresh` \| its 3 machines/);
        assert.match(second, /^other`\*\*[\s\S]*`other-fresh` \| its 3 machines/);
        assert.doesNotMatch(first, /etcd of a/);
        assert.match(second, /1\. \*\*a snapshot of etcd\*\*[\s\S]*2\. \*\*etcd of a: 1\.0\.0 becomes/);
    });

    it("says that no stack is affected", () => {
        assert.equal(
            comment([], options),
            "<!-- tradewind preview: shop -->\nThis change does not affect any stack.\n",
        );
    });

    it("puts the resource before a message, unless the message begins with it", () => {
        const warning = (message: string) => ({ severity: "warning" as const, message, resource: "a" });
        const diagnostics = [warning("a: is old"), warning("ab: is new")];
        const preview = { project: "p", stack: "s", steps: [], diagnostics, isComplete: true };
        assert.match(comment([{ stack: "s", preview }], options), /```text\na: is old\na: ab: is new\n```/);
    });

    it("contains no mentions and no markup from elsewhere", () => {
        const diagnostics = [
            { severity: "warning" as const, message: "ask @octocat <!-- or\n``` me" },
            { severity: "info" as const, message: "etcd of a-0: --label=<b>*@octocat* comes", resource: "a" },
        ];
        const step = {
            operation: "same" as const,
            urn: "u",
            type: "t",
            name: "n",
            parent: "urn:pulumi:s::p::tradewind:index:AwsCluster::a",
            changed: [],
            replaces: [],
            isDeletedFirst: false,
        };
        const preview = { project: "p", stack: "s", steps: [step], diagnostics, isComplete: true };
        const text = comment([{ stack: "s", preview }], options);
        assert.match(text, /````text\nask @octocat <!-- or\n {4}``` me\n````/);
        assert.match(text, /^1\. \*\*a snapshot of etcd\*\*/m);
        assert.match(text, /^2\. \*\*etcd of a-0: --label=&#60;b&#62;&#42;&#64;octocat&#42; comes\*\*: one member/m);
    });
});
