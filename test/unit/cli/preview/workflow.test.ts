import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { parse } from "yaml";
import { versions } from "../../../../artifacts";
import { parsePreviewOptions } from "../../../../cli/preview/options";
import { comment } from "../../../../cli/preview/render/comment";
import { assertShell } from "../../components/shell";

interface Step {
    readonly name?: string;
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Readonly<Record<string, unknown>>;
}

const text = readFileSync(resolve(__dirname, "../../../../examples/pull-request-preview.yml"), "utf8");
const workflow = parse(text);
const steps: readonly Step[] = workflow.jobs.preview.steps;

describe("the workflow for pull requests", () => {
    it("may read the code and comment, and nothing else", () => {
        assert.deepEqual(workflow.permissions, { contents: "read", "pull-requests": "write" });
        assert.deepEqual(Object.keys(workflow.on), ["pull_request"]);
        assert.match(workflow.jobs.preview.if, /head\.repo\.full_name == github\.repository/);
    });

    it("pins actions by commit, but for the one that it says", () => {
        const used = steps.flatMap(({ uses }) => uses ?? []);
        const loose = used.filter((each) => !/@[0-9a-f]{40}$/.test(each));
        assert.deepEqual(loose, ["pulumi/actions@v6"]);
    });

    it("has the Pulumi that we have, and shell that runs", () => {
        assert.equal(steps.find(({ uses }) => uses?.startsWith("pulumi/"))?.with?.["pulumi-version"], versions.pulumi);
        for (const { run } of steps) if (run?.includes("\n")) assertShell(run);
    });

    it("has no expression in its scripts, which a branch's name could end", () => {
        for (const { run = "" } of steps) assert.doesNotMatch(run, /\$\{\{/);
    });

    it("calls the command with options that there are", () => {
        const { run = "" } = steps.find(({ name }) => name === "Preview")!;
        const [, line = ""] = /tradewind preview ([\s\S]*?) > comment\.md/.exec(run) ?? [];
        const args = [...line.matchAll(/(--[\w-]+)/g)].flatMap(([, option]) => [option!, "x"]);
        assert.deepEqual(
            Object.keys(parsePreviewOptions(args)).filter((key) => /changed|whole/.test(key)),
            ["changedSince", "whole", "wholeAt"],
        );
    });
});

describe("the comment of the workflow", () => {
    let folder: string;
    const options = { project: "shop", limit: 65_536, rest: "" };
    const some = comment([{ stack: "prod", failure: "no" }], options);
    const none = comment([], options);
    /** What `gh` is asked for, when there are such comments. */
    const asked = (body: string, comments: string) => {
        writeFileSync(join(folder, "comment.md"), body);
        const gh = `#!/bin/sh\ncase "$*" in *--paginate*) printf '%s' "$COMMENT_IDS" ;; *) echo "$*" ;; esac\n`;
        writeFileSync(join(folder, "gh"), gh, { mode: 0o755 });
        const { run = "" } = steps.find(({ name }) => name === "Comment")!;
        const env = {
            PATH: [folder, process.env.PATH].join(delimiter),
            COMMENTS: "repos/o/r/issues/7/comments",
            GITHUB_REPOSITORY: "o/r",
            COMMENT_IDS: comments,
        };
        const { status, stdout, stderr } = spawnSync("bash", ["-e", "-c", run], { cwd: folder, env, encoding: "utf8" });
        assert.equal(status, 0, stderr);
        return stdout.trim();
    };

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-workflow-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("is made when there is none, and written anew when there is one", () => {
        assert.match(
            asked(some, ""),
            /^api --silent --method POST repos\/o\/r\/issues\/7\/comments -F body=@comment\.md$/,
        );
        const update = /^api --silent --method PATCH repos\/o\/r\/issues\/comments\/42 -F body=@comment\.md$/;
        assert.match(asked(some, "42\n43\n"), update);
        assert.match(asked(none, "42\n"), update);
    });

    it("is not made where no stack is touched, nor without a text", () => {
        assert.equal(asked(none, ""), "");
        assert.equal(asked("", "42\n"), "");
    });
});
