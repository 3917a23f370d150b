import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import ts from "typescript";
import { buildPackage } from "../../release/build";
import { openAccount } from "./paper/clouds";
import { type Previewed, readPreview, render } from "./paper/readable-preview";
import { Workspace } from "./workspace";

const root = resolve(__dirname, "../..");
const example = join(root, "examples/aws-program.ts");

/** A project of somebody's that has the package and what it depends on, and nothing else of ours. */
class Project {
    readonly dir = mkdtempSync(join(tmpdir(), "tradewind-package-"));
    readonly package = join(this.dir, "node_modules/tradewind");

    constructor() {
        buildPackage(this.package);
        const { dependencies } = JSON.parse(readFileSync(join(this.package, "package.json"), "utf8"));
        for (const name of [...Object.keys(dependencies), "@types/node"]) {
            const path = join(this.dir, "node_modules", name);
            mkdirSync(dirname(path), { recursive: true });
            symlinkSync(join(root, "node_modules", name), path);
        }
        this.write("package.json", '{ "name": "somebodys" }');
    }

    write(file: string, text: string): void {
        writeFileSync(join(this.dir, file), text);
    }

    run(...args: string[]): string {
        return execFileSync(process.execPath, args, { cwd: this.dir, encoding: "utf8" });
    }

    /** The example as its readers would have it. */
    get program(): string {
        return readFileSync(example, "utf8").replace('"../index"', '"tradewind"');
    }
}

describe("the npm package", function () {
    this.timeout(240_000);
    let project: Project;

    before(() => {
        project = new Project();
    });
    after(() => rmSync(project.dir, { recursive: true, force: true }));

    it("has nothing that a linter of packages finds wrong", async () => {
        const { publint } = await import("publint");
        const { messages } = await publint({ pkgDir: project.package, level: "suggestion", strict: true });
        assert.deepEqual(messages, []);
    });

    it("is no more than two megabytes, without sources, tests or paths of the checkout", () => {
        const files = readdirSync(project.package, { withFileTypes: true, recursive: true }).filter((file) =>
            file.isFile(),
        );
        const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
        assert.ok(texts.join("").length < 2e6);
        assert.deepEqual(
            files.map(({ name }) => name).filter((name) => /(?<!\.d)\.ts$|\.test\./.test(name)),
            [],
        );
        assert.ok(!texts.some((text) => text.includes(root)));
    });

    it("is loaded by either module system", () => {
        project.write(
            "own.mjs",
            'import { AwsCluster, LocalCluster } from "tradewind"; console.log(typeof AwsCluster, typeof LocalCluster);',
        );
        project.write(
            "own.cjs",
            'console.log(Object.keys(require("tradewind")).join(), typeof require("tradewind/ignition").merge);',
        );
        assert.equal(project.run("own.mjs").trim(), "function function");
        assert.equal(project.run("own.cjs").trim(), "AwsCluster,DigitalOceanCluster,LocalCluster function");
    });

    it("has Ignition on its own, without Pulumi", () => {
        const count = 'Object.keys(require.cache).filter((path) => path.includes("pulumi")).length';
        project.write("ignition.cjs", `require("tradewind/ignition"); console.log(${count});`);
        assert.equal(project.run("ignition.cjs").trim(), "0");
    });

    it("has types, by which a program is checked", () => {
        const compiler = join(root, "node_modules/typescript-native/bin/tsc");
        const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "node16", "--types", "node"];
        project.write("index.ts", project.program);
        project.run(compiler, ...options, "index.ts");
        project.write("index.ts", project.program.replace('zones: ["a", "b"]', 'zones: "a"'));
        assert.throws(
            () => project.run(compiler, ...options, "index.ts"),
            ({ stdout }) => /Type 'string' is not assignable to type/.test(stdout),
        );
    });

    it("makes what the checkout makes, for two clusters in one program", async () => {
        const { outputText } = ts.transpileModule(project.program, {
            compilerOptions: { module: ts.ModuleKind.CommonJS },
        });
        const another = outputText.replace('AwsCluster("program"', 'AwsCluster("another"');
        assert.notEqual(another, outputText);
        for (const [name, text] of Object.entries({ program: outputText, another })) project.write(`${name}.js`, text);
        const own = await preview(["program", "another"].map((name) => join(project.dir, `${name}.js`)));
        const checkouts = await preview([example]);
        const of = (name: string, all: readonly Previewed[]) => all.filter((each) => each.name.startsWith(name));
        assert.ok(checkouts.length > 100);
        assert.equal(render(of("program", own), "aws"), render(of("program", checkouts), "aws"));
        assert.equal(of("another", own).length, of("program", own).length);
    });

    /** What a preview says of each resource that programs make. */
    async function preview(programs: readonly string[]): Promise<Previewed[]> {
        const folder = mkdtempSync(join(tmpdir(), "tradewind-package-account-"));
        const account = join(folder, "account.json");
        openAccount.aws(account);
        const text = programs.map((path) => `require(${JSON.stringify(path)});`).join("\n");
        const workspace = await Workspace.create(text, {
            PATH: [join(root, "simulator/clouds"), process.env.PATH].join(delimiter),
            PULUMI_IGNORE_AMBIENT_PLUGINS: "false",
            TRADEWIND_SIMULATED_ACCOUNT: account,
            ...{ AWS_REGION: "", AWS_ACCESS_KEY_ID: "" },
        });
        try {
            await workspace.pulumi("config", "set", "aws:region", "eu-central-1");
            const { exitCode, output } = await workspace.preview();
            assert.equal(exitCode, 0, output);
            return readPreview(output);
        } finally {
            workspace.remove();
            rmSync(folder, { recursive: true });
        }
    }
});
