import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { programBuild, programFiles } from "./build-options";
import type { Build } from "./kept-builds.cjs";

const ROOT = join(__dirname, "..");

/** Modules locate files relative to their own path, so each gets its original one. */
const ownPlaces: Plugin = {
    name: "own places",
    setup({ onLoad }) {
        onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const text = readFileSync(path, "utf8");
            const places = Object.entries({ __dirname: dirname(path), __filename: path })
                .filter(([name]) => text.includes(name))
                .map(([name, place]) => `const ${name} = ${JSON.stringify(place)};`);
            // On the first line, to keep line numbers.
            return { contents: places.join(" ") + text, loader: "ts" };
        });
    },
};

/** Bundles a command and its packages into one file; lazily loaded modules stay lazy. */
export async function bundledCommand(entry: string): Promise<Build> {
    const { outputFiles, metafile } = await build({
        ...programBuild(ROOT, entry),
        // Programs that it starts are located relative to its JavaScript.
        external: ["esbuild"],
        plugins: [ownPlaces],
        // Minified, as it is read and verified at each start; the sources are available for reading.
        minifySyntax: true,
        minifyWhitespace: true,
        // Errors in a source are reported by running it.
        logLevel: "silent",
    });
    const sources = Object.keys(metafile.inputs).map((path) => partOf(resolve(ROOT, path)));
    const builders = [__filename, require.resolve("./build-options"), packageFile("esbuild")];
    return { ...programFiles(outputFiles), inputs: [...new Set([...sources, ...builders])] };
}

/** A package changes as a whole, with its version. */
function partOf(path: string): string {
    const name = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path);
    return name ? join(name[0], "package.json") : path;
}

function packageFile(name: string): string {
    return join(ROOT, "node_modules", name, "package.json");
}
