import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { COMMANDS, OF_CHECKOUT } from "../../cli/tradewind";
import { allClouds } from "../../cluster/clouds";
import { billOfMaterials } from "./bill-of-materials";
import { type EmptyProject, root } from "./empty-project";

/** Unpacked size in bytes: a quarter is JavaScript, more than half its source maps with the sources. */
const MOST = 8e6;

/** Characters in a line of code. Minified code has longer ones. */
const LONGEST = 2000;

/** Requirements on the package in a user's project: checked by `npm run package` and by a test. */
export const CHECKS: Readonly<Record<string, (project: EmptyProject) => void | Promise<void>>> = {
    "passes publint": async (project) => {
        const { publint } = await import("publint");
        const { messages } = await publint({ pkgDir: project.package, level: "suggestion", strict: true });
        assert.deepEqual(messages, []);
    },

    "is at most eight megabytes, without sources, tests or paths of the checkout": (project) => {
        const files = readdirSync(project.package, { withFileTypes: true, recursive: true }).filter((file) =>
            file.isFile(),
        );
        const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name)));
        assert.ok(Buffer.concat(texts).length < MOST);
        assert.deepEqual(
            files.map(({ name }) => name).filter((name) => /(?<!\.d)\.ts$|\.test\./.test(name)),
            [],
        );
        assert.ok(!texts.some((text) => text.includes(root)));
    },

    "has readable code, and source maps that contain the sources": (project) => {
        const programs = readdirSync(project.package, { withFileTypes: true, recursive: true })
            .filter(({ name }) => name.endsWith(".js"))
            .map(({ parentPath, name }) => join(parentPath, name));
        for (const path of programs) {
            const lines = readFileSync(path, "utf8").split("\n");
            assert.ok(
                lines.every((line) => line.length < LONGEST),
                path,
            );
            const { sourcesContent } = JSON.parse(readFileSync(`${path}.map`, "utf8"));
            assert.ok(
                sourcesContent.every((text: unknown) => typeof text === "string"),
                path,
            );
        }
        project.write("throws.cjs", 'require("tradewind/ignition").merge(undefined, undefined);');
        assert.throws(() => project.run("--enable-source-maps", "throws.cjs"), {
            stderr: /node_modules\/tradewind\/ignition\/[\w-]+\.ts:\d+/,
        });
    },

    "can be loaded by both module systems": (project) => {
        project.write(
            "own.mjs",
            'import { AwsCluster, LocalCluster } from "tradewind"; console.log(typeof AwsCluster, typeof LocalCluster);',
        );
        project.write(
            "own.cjs",
            'console.log(Object.keys(require("tradewind")).join(), typeof require("tradewind/ignition").merge);',
        );
        assert.equal(project.run("own.mjs").trim(), "function function");
        assert.equal(
            project.run("own.cjs").trim(),
            `${[...allClouds.map(({ component }) => component), "LocalCluster"]} function`,
        );
    },

    "has the commands that need no checkout": (project) => {
        const { bin } = JSON.parse(readFileSync(join(project.package, "package.json"), "utf8"));
        const tradewind = (...args: string[]) => project.run(join(project.package, bin.tradewind), ...args);
        const names = [...tradewind("--help").matchAll(/^ {2}([a-z][\w-]+) {2}/gm)].map(([, name]) => name!);
        assert.deepEqual(
            names,
            Object.keys(COMMANDS).filter((name) => !OF_CHECKOUT.includes(name)),
        );
        for (const name of names) {
            assert.match(tradewind(name, "--help"), new RegExp(`Usage: tradewind ${name} `));
        }
        const recorded = join(root, "test/unit/cli/preview/recorded/aws-upgrade.jsonl");
        const ofCheckout = project.run(join(root, "dev/tradewind.cjs"), "preview", "--events", recorded);
        assert.match(ofCheckout, /^<!-- tradewind preview: /);
        assert.equal(tradewind("preview", "--events", recorded), ofCheckout);
        assert.throws(() => tradewind("drill"), {
            status: 2,
            stderr: "error: tradewind drill is not part of the npm package; run it in a checkout of Tradewind\n",
        });
    },

    "has Ignition as a separate module, without Pulumi": (project) => {
        const count = 'Object.keys(require.cache).filter((path) => path.includes("pulumi")).length';
        project.write("ignition.cjs", `require("tradewind/ignition"); console.log(${count});`);
        assert.equal(project.run("ignition.cjs").trim(), "0");
    },

    "names each bundled library with its licence": (project) => {
        const licences = readFileSync(join(project.package, "THIRD-PARTY-LICENSES.txt"), "utf8");
        const named = [...licences.matchAll(/^(\S+) (\d\S+) \(.+\)$/gm)].map(
            ([, name, version]) => `${name}@${version}`,
        );
        assert.ok(named.length > 1);
        const known = billOfMaterials("tradewind").components.map(({ purl }) => decodeURIComponent(purl));
        for (const each of named) assert.ok(known.includes(`pkg:npm/${each}`), each);
    },

    "has types that programs are checked against": (project) => {
        const compiler = join(root, "node_modules/typescript-native/bin/tsc");
        const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "node16", "--types", "node"];
        project.write("index.ts", project.program);
        project.run(compiler, ...options, "index.ts");
        project.write("index.ts", project.program.replace('zones: ["a", "b"]', 'zones: "a"'));
        assert.throws(
            () => project.run(compiler, ...options, "index.ts"),
            ({ stdout }) => /Type 'string' is not assignable to type/.test(stdout),
        );
        project.write("own.mts", 'import { AwsCluster } from "tradewind"; export type Args = typeof AwsCluster;');
        project.run(compiler, ...options, "own.mts");
    },
};
