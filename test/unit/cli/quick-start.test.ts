import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { copyCheckout } from "../checkout-copy";

const root = resolve(__dirname, "../../..");
const FOLDERS = [
    ...["agents", "artifacts", "bundling", "cache", "cli", "clients", "cluster", "command-line", "components"],
    ...["ignition", "local", "machines", "simulator", "versions"],
];

describe("the quick start of a command", function () {
    this.timeout(120_000);
    let copy: string;
    const run = (program: string) =>
        execFileSync(
            process.execPath,
            [
                "-e",
                `require("./bundling/quick-start.cjs").loadQuickly(process.cwd() + "/cli/tradewind.ts").then(async (loaded) => { ${program} })`,
            ],
            { cwd: copy, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
        ).trim();
    const kept = () => readdirSync(join(copy, "node_modules/.cache/tradewind"));

    before(() => {
        copy = copyCheckout("quick-start", [...FOLDERS, "package.json"]);
    });
    after(() => rmSync(copy, { recursive: true }));

    it("loads a single cached file, and no TypeScript compiler", () => {
        const program = `
            await loaded.main(["status", "--help"]);
            console.log(Object.keys(require.cache).filter((path) => /node_modules|\\.ts$/.test(path)).length);`;
        run(program);
        assert.equal(kept().filter((name) => /^command-tradewind-\w+\.js$/.test(name)).length, 1);

        assert.match(run(program), /^Usage: tradewind status .*\n0$/s);
    });

    it("reports errors with their location in the sources", () => {
        const { stderr } = spawnSync(process.execPath, [join(root, "dev/tradewind.cjs"), "status", "--name", "x"], {
            encoding: "utf8",
            env: { ...process.env, TRADEWIND_STATE: "/none", TRADEWIND_DEBUG: "1" },
        });
        const lines = readFileSync(join(root, "local/state.ts"), "utf8").split("\n");
        const line = lines.findIndex((text) => text.includes('throw invalidOption("--name", legal')) + 1;
        assert.match(stderr, new RegExp(`local/state\\.ts:${line}:\\d+`));
    });

    it("uses changed sources", () => {
        appendFileSync(join(copy, "command-line/parse.ts"), "\nconsole.log('changed');\n");

        assert.match(run("loaded.main(['--help'])"), /^changed\n/);
    });

    it("runs from the sources if another command's file cannot be read", () => {
        writeFileSync(join(copy, "cli/drill/command.ts"), "export const = 1;\n");

        assert.match(run("loaded.main(['status', '--help'])"), /Usage: tradewind status/);
    });
});
