import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { assertShell } from "../components/in-cluster/shell";

interface Job {
    readonly "timeout-minutes": number;
    readonly permissions?: Readonly<Record<string, string>>;
    readonly environment?: string;
    readonly needs?: string;
    readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
    readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

const root = resolve(__dirname, "../../..");
const folder = join(root, ".github/workflows");
const textOf = (file: string) => readFileSync(join(root, file), "utf8");
const workflows = Object.fromEntries(
    readdirSync(folder).map((file) => {
        const text = textOf(`.github/workflows/${file}`);
        return [file, { text, ...parse(text) } as { text: string; permissions: object; jobs: Record<string, Job> }];
    }),
);
const { scripts, engines } = JSON.parse(textOf("package.json"));

describe("the workflows of this repository", () => {
    for (const [file, { text, permissions, jobs }] of Object.entries(workflows)) {
        describe(file, () => {
            it("pins every action by commit, with its version", () => {
                const used = [...text.matchAll(/uses: (.*)$/gm)].map(([, each]) => each!);
                assert.ok(used.length > 0);
                for (const each of used) assert.match(each, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
            });

            it("may only read, unless a job needs more, and every job has a time limit", () => {
                assert.deepEqual(permissions, { contents: "read" });
                for (const job of Object.values(jobs)) assert.ok(job["timeout-minutes"] <= 20);
            });

            it("runs existing npm scripts, in valid shell, without expressions that could inject code", () => {
                const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
                for (const run of runs) {
                    assert.doesNotMatch(run, /\$\{\{/);
                    assertShell(run);
                    const called = [...run.matchAll(/npm run (?:--\S+ )?([\w:-]+)/g)].map(([, name]) => name!);
                    assert.deepEqual(
                        called.filter((name) => !(name in scripts)),
                        [],
                    );
                }
            });
        });
    }

    it("check types, style and the package of a pull request, and the unit tests in at most five minutes", () => {
        const { jobs } = workflows["pull-request.yml"]!;
        const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
        for (const name of ["typecheck", "lint", "test:unit", "package"]) {
            assert.ok(
                runs.some((run) => run.startsWith(`npm run ${name}`)),
                name,
            );
        }
        assert.ok(jobs.unit!["timeout-minutes"] <= 5);
        const oldest = Number(/\d+/.exec(engines.node)?.[0]);
        assert.deepEqual(jobs.unit!.strategy?.matrix["node-version"], [oldest, oldest + 2, oldest + 4]);
    });

    it("use versions of Node that the pinned Pulumi SDK supports, as do the package, the commands and the documentation", () => {
        const sdk = JSON.parse(textOf("package-lock.json")).packages["node_modules/@pulumi/pulumi"];
        assert.equal(engines.node, sdk.engines.node, "package.json");
        const oldest = /^>=(\d+)$/.exec(engines.node)![1]!;
        assert.match(textOf("dev/run.cjs"), new RegExp(`^const OLDEST_NODE = ${oldest};$`, "m"));
        for (const file of [
            "README.md",
            ...["local", "aws", "digitalocean"].map((each) => `docs/tutorial-${each}.md`),
        ]) {
            assert.match(textOf(file), new RegExp(`Node ${oldest} or newer`), file);
        }
        const { matrix } = workflows["pull-request.yml"]!.jobs.unit!.strategy!;
        assert.ok(matrix["node-version"]!.includes(Number(textOf(".nvmrc"))), ".nvmrc");
    });

    it("publish only what an earlier job built and listed with checksums, by the identity of the workflow", () => {
        const { text, jobs } = workflows["release.yml"]!;
        assert.deepEqual([jobs.publish!.needs, jobs.release!.needs], ["build", "publish"]);
        assert.equal(jobs.publish!.environment, "npm");
        assert.equal(jobs.publish!.permissions?.["id-token"], "write");
        const publishes = jobs.publish!.steps.flatMap(({ run }) => run ?? []);
        assert.match(publishes.join("\n"), /sha256sum --check[\s\S]*npm publish .* --provenance/);
        assert.doesNotMatch(text, /secrets\.|NODE_AUTH_TOKEN/);
        const withoutCheckout = [jobs.publish!, jobs.release!].flatMap(({ steps }) => steps);
        assert.ok(withoutCheckout.every(({ uses = "" }) => !uses.startsWith("actions/checkout")));
    });
});

describe("generated files", () => {
    const listed = [...textOf("CONTRIBUTING.md").matchAll(/^\| (`[^|]*`) +\|/gm)]
        .flatMap(([, cell]) => [...cell!.matchAll(/`([^`]+)`/g)].map(([, path]) => path!))
        .filter((path) => /^(docs|stacks|plugin|cluster)\/.*\.\w+$/.test(path));

    const attributeOf = (path: string) =>
        execFileSync("git", ["check-attr", "linguist-generated", "--", path], { cwd: root, encoding: "utf8" })
            .trim()
            .split(": ")
            .at(-1);

    it("are marked as such for reviewers, and golden files are not", () => {
        assert.ok(listed.length >= 10, listed.join());
        const generated = ["package-lock.json", "ignition/types.ts", "artifacts/go/kubernetes-1.36/go.sum", ...listed];
        assert.deepEqual(
            generated.filter((path) => attributeOf(path) !== "set"),
            [],
        );
        assert.equal(attributeOf("test/unit/cluster/machines/golden/worker.golden.txt"), "unspecified");
    });
});
