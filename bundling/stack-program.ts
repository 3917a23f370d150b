import { join, resolve } from "node:path";
import { type KeptBuild, keptOrBuilt } from "./kept-builds.cjs";

const ROOT = join(__dirname, "..");

/** These look for files beside their own. */
const APART = ["bundling/agents.ts", "bundling/kept-builds.cjs", "components/pulumi/own-program.ts"];

/**
 * The program as one file, to be run in place of its first one: Node finds and loads a hundred and thirty files in
 * half the time that the SDK takes.
 */
export function bundledProgram(entry: string): KeptBuild {
    return keptOrBuilt("program", () => {
        // Loaded only here: a program that is kept needs none of it.
        const { buildSync } = require("esbuild") as typeof import("esbuild");
        const { programBuild, programFiles } = require("./build-options") as typeof import("./build-options");
        const { outputFiles, metafile } = buildSync({
            ...programBuild(ROOT, entry),
            packages: "external",
            external: APART.map((path) => join(ROOT, path)),
        });
        const sources = Object.keys(metafile.inputs).map((path) => resolve(ROOT, path));
        const builders = ["./build-options", "esbuild/package.json"].map((part) => require.resolve(part));
        return { ...programFiles(outputFiles), inputs: [...sources, __filename, ...builders] };
    });
}
