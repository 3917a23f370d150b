import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build, type Plugin } from "esbuild";
import { programBuild } from "../agents/program-build";
import { OF_CHECKOUT } from "./contents";

/** The package's own file of `tradewind`: one folder below the package's, as this constant of its text says. */
export const CLI = "cli/tradewind";
const PACKAGE = 'require("node:path").dirname(__dirname)';

/** Files look for others beside their own: each is told where that is in the package. */
const placesInPackage = (root: string): Plugin => ({
    name: "places in the package",
    setup({ onLoad }) {
        onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const text = readFileSync(path, "utf8");
            const file = relative(root, path).replace(/ts$/, "js");
            const places = Object.entries({ __dirname: dirname(file), __filename: file })
                .filter(([name]) => text.includes(name))
                .map(([name, place]) => `const ${name} = require("node:path").join(packageFolder, "${place}");`);
            return { contents: places.join(" ") + text, loader: "ts" };
        });
    },
});

/** `tradewind` as one file, which loads the package's dependencies: most of its users have no checkout. */
export async function bundledCli(root: string): Promise<string> {
    const { outputFiles } = await build({
        ...programBuild(root, join(root, `${CLI}.ts`)),
        sourcemap: false,
        packages: "external",
        external: OF_CHECKOUT.map((name) => `./cli/commands/${name}`),
        plugins: [placesInPackage(root)],
        banner: { js: `"use strict"; const packageFolder = ${PACKAGE};` },
        // The package is to stay small; for whoever reads a stack trace there is the checkout.
        minify: true,
    });
    return outputFiles[0].text;
}
