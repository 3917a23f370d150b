import { join, resolve } from "node:path";
import { type KeptBuild, keptOrBuilt } from "./kept-builds.cjs";

const ROOT = join(__dirname, "..");

/** Modules that locate files relative to their own path. */
const APART = ["bundling/agents.ts", "bundling/kept-builds.cjs", "components/pulumi/own-program.ts"];

/**
 * The program as a single file, run instead of its entry point: otherwise Node spends half the SDK's loading time on finding
 * and loading a hundred and thirty files.
 */
export function bundledProgram(entry: string): KeptBuild {
    return keptOrBuilt("program", () => {
        // Loaded lazily: a cached program does not need them.
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
