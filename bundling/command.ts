import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { programBuild, programFiles } from "./build-options";
import type { Build } from "./kept-builds.cjs";

const ROOT = join(__dirname, "..");

/** Files look for others beside their own: each is told where that is. */
const ownPlaces: Plugin = {
    name: "own places",
    setup({ onLoad }) {
        onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const text = readFileSync(path, "utf8");
            const places = Object.entries({ __dirname: dirname(path), __filename: path })
                .filter(([name]) => text.includes(name))
                .map(([name, place]) => `const ${name} = ${JSON.stringify(place)};`);
            // On the first line, so that the others stay where they are.
            return { contents: places.join(" ") + text, loader: "ts" };
        });
    },
};

/** zod has its messages in every language, half of all that there is to load; ours are in English. */
const english: Plugin = {
    name: "English",
    setup({ onLoad }) {
        onLoad({ filter: /[\\/]zod[\\/].*[\\/]locales[\\/]index\.c?js$/ }, () => ({
            contents: 'export { default as en } from "./en.js";',
        }));
    },
};

/** A command of ours as one file, with the packages that it loads; what it loads late is still run late. */
export async function bundledCommand(entry: string): Promise<Build> {
    const { outputFiles, metafile } = await build({
        ...programBuild(ROOT, entry),
        // A program that it starts lies beside its JavaScript.
        external: ["esbuild"],
        plugins: [ownPlaces, english],
        // It is read and checked at each start; who wants to read it has the sources.
        minifySyntax: true,
        minifyWhitespace: true,
        // What is wrong with a source is told by running it.
        logLevel: "silent",
    });
    const sources = Object.keys(metafile.inputs).map((path) => partOf(resolve(ROOT, path)));
    const builders = [__filename, require.resolve("./build-options"), packageFile("esbuild")];
    return { ...programFiles(outputFiles), inputs: [...new Set([...sources, ...builders])] };
}

/** Of a package, which changes as a whole, what has its version. */
function partOf(path: string): string {
    const name = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path);
    return name ? join(name[0], "package.json") : path;
}

function packageFile(name: string): string {
    return join(ROOT, "node_modules", name, "package.json");
}
