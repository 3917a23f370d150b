import { join, resolve } from "node:path";
import { type KeptBuild, keptOrBuilt } from "../agents/kept-builds.cjs";

const ROOT = join(__dirname, "..");

/** These look for files beside their own. */
const APART = ["agents/bundle.ts", "agents/kept-builds.cjs", "components/own-program.ts"];

/**
 * The program as one file, to be run in place of its first one: Node finds and loads a hundred and thirty files in
 * half the time that the SDK takes.
 */
export function bundledProgram(entry: string): KeptBuild {
    return keptOrBuilt("program", () => {
        const { buildSync } = require("esbuild") as typeof import("esbuild");
        const { outputFiles, metafile } = buildSync({
            absWorkingDir: ROOT,
            entryPoints: [entry],
            outfile: entry.replace(/ts$/, "js"),
            bundle: true,
            write: false,
            metafile: true,
            platform: "node",
            // The oldest that runs us: another Node may run what this one kept.
            target: "node20",
            format: "cjs",
            packages: "external",
            external: APART.map((path) => join(ROOT, path)),
            sourcemap: "external",
            sourcesContent: false,
            tsconfigRaw: {},
        });
        const [map, text] = ["map", "js"].map((end) => outputFiles.find(({ path }) => path.endsWith(end))!.text);
        const sources = Object.keys(metafile.inputs).map((path) => resolve(ROOT, path));
        return { text: text!, map, inputs: [...sources, __filename, require.resolve("esbuild/package.json")] };
    });
}
