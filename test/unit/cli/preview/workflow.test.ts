import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { program } from "../../../../cli/preview/command";
import { comment } from "../../../../cli/preview/render/comment";
import { program as updates } from "../../../../cli/updates/command";
import { versions } from "../../../../versions";
import { assertShell } from "../../components/in-cluster/shell";
import { type ForgeOnPaper, forgeOnPaper } from "./forge-on-paper";
import { github } from "./forges";

interface Step {
    readonly name?: string;
    readonly uses?: string;
    readonly run?: string;
    readonly if?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly with?: Readonly<Record<string, unknown>>;
}

const root = resolve(__dirname, "../../../..");
const read = (name: string) => parse(readFileSync(join(root, "examples", name), "utf8"));
const workflow = read("pull-request-preview.yml");
const steps: readonly Step[] = workflow.jobs.preview.steps;
const scheduled: readonly Step[] = read("scheduled-updates.yml").jobs.updates.steps;

for (const [name, all] of Object.entries({ "pull requests": steps, "scheduled updates": scheduled })) {
    describe(`the workflow for ${name}`, () => {
        it("pins actions by commit, with one documented exception", () => {
            const used = all.flatMap(({ uses }) => uses ?? []);
            const loose = used.filter((each) => !/@[0-9a-f]{40}$/.test(each));
            assert.deepEqual(loose, ["pulumi/actions@v7"]);
        });

        it("uses our version of Pulumi, and valid shell", () => {
            const { with: options } = all.find(({ uses }) => uses?.startsWith("pulumi/")) ?? {};
            assert.equal(options?.["pulumi-version"], versions.pulumi);
            for (const { run } of all) if (run?.includes("\n")) assertShell(run);
        });

        it("has no expressions in its scripts, into which a branch name could inject code", () => {
            for (const { run = "" } of all) assert.doesNotMatch(run, /\$\{\{/);
        });
    });
}

describe("the workflow for scheduled updates", () => {
    it("calls commands with existing options", () => {
        const calls = scheduled.flatMap(({ run = "" }) => [...run.matchAll(/tradewind (\w+) (--[\w-]+)/g)]);
        const programs = { updates, preview: program };
        const given = calls.map(([, name, option]) => {
            const { options } = programs[name as keyof typeof programs].parse([option!]);
            return Object.keys(options).find((key) => `--${key}` === option);
        });
        assert.deepEqual(given, ["apply", "drift"]);
    });
});

describe("the workflow for pull requests", () => {
    it("has permission to read the code and to comment, and nothing else", () => {
        assert.deepEqual(workflow.permissions, { contents: "read", "pull-requests": "write" });
        assert.deepEqual(Object.keys(workflow.on), ["pull_request"]);
        assert.match(workflow.jobs.preview.if, /head\.repo\.full_name == github\.repository/);
    });

    it("calls the command with existing options", () => {
        const { run = "" } = steps.find(({ name }) => name === "Preview")!;
        const [, line = ""] = /tradewind preview ([\s\S]*?) > comment\.md/.exec(run) ?? [];
        const args = [...line.matchAll(/(--[\w-]+)/g)].flatMap(([, option]) => [option!, "x"]);
        assert.deepEqual(
            Object.keys(program.parse(args).options).filter((key) => /changed|whole/.test(key)),
            ["changedSince", "whole", "wholeAt"],
        );
    });
});

describe("the comment of the workflow", () => {
    let folder: string;
    let forge: ForgeOnPaper;
    before(async () => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-workflow-"));
        // Like npm installs the package's command.
        mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
        symlinkSync(join(root, "dev/tradewind.cjs"), join(folder, "node_modules/.bin/tradewind"));
        writeFileSync(join(folder, "package.json"), "{}");
        forge = await forgeOnPaper(github);
    });
    after(() => {
        forge.close();
        rmSync(folder, { recursive: true });
    });

    it("is posted by the step, as in a job", async function () {
        this.timeout(60_000);
        writeFileSync(
            join(folder, "comment.md"),
            comment([{ stack: "prod", failure: "no" }], { project: "shop", limit: 65_536, rest: "" }),
        );
        const { run = "", env = {} } = steps.find(({ name }) => name === "Comment")!;
        assert.deepEqual(env, { GITHUB_TOKEN: "${{ github.token }}" });
        const job = {
            PATH: process.env.PATH,
            HOME: folder,
            GITHUB_TOKEN: "job",
            GITHUB_REPOSITORY: "o/r",
            GITHUB_REF: "refs/pull/12/merge",
            GITHUB_API_URL: forge.url,
            GITHUB_GRAPHQL_URL: `${forge.url}/graphql`,
        };
        const { stderr } = await promisify(execFile)("bash", ["-e", "-c", run], { cwd: folder, env: job });
        assert.match(stderr, /^commented on pull request 12 of o\/r$/m);
        assert.equal(forge.comments.length, 1);
    });

    it("is skipped if nothing was previewed", () => {
        const { if: condition } = steps.find(({ name }) => name === "Comment")!;
        assert.match(condition ?? "", /!cancelled\(\) && hashFiles\('comment\.md'\) != ''/);
    });
});
