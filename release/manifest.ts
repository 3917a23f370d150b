import { isBuiltin } from "node:module";
import { BIN, MODULES } from "./contents";

/** What of the checkout's package.json the package has, too. */
export interface Checkout {
    readonly name: string;
    readonly version: string;
    readonly description: string;
    readonly license: string;
    readonly engines: Readonly<Record<string, string>>;
    readonly dependencies: Readonly<Record<string, string>>;
}

/** The checkout's alone: the package has what they make. */
const BUILD_ONLY = ["esbuild"];

/**
 * The package's own package.json.
 *
 * @param required - packages that its files load
 * @throws when one of them is no dependency of the checkout
 */
export function packageManifest(checkout: Checkout, required: readonly string[]): object {
    const { name, version, description, license, engines } = checkout;
    const wanted = required.filter((each) => !BUILD_ONLY.includes(each)).sort();
    const unknown = wanted.filter((each) => !Object.hasOwn(checkout.dependencies, each));
    if (unknown.length > 0) {
        throw new Error(`a package that is loaded must be among the dependencies, got ${unknown.join(", ")}`);
    }
    const exported = Object.entries(MODULES).map(([subpath, file]) => [
        subpath,
        { types: `./${file}.d.ts`, default: `./${file}.js` },
    ]);
    return {
        ...{ name, version, description, license, engines },
        keywords: ["kubernetes", "pulumi", "self-hosted", "ignition", "aws", "digitalocean"],
        type: "commonjs",
        // What loads it as a folder is Pulumi, as a plugin: PulumiPlugin.yaml. Everybody else goes by `exports`.
        main: "./plugin/main.cjs",
        types: `./${MODULES["."]}.d.ts`,
        bin: { [name]: BIN },
        exports: { ...Object.fromEntries(exported), "./package.json": "./package.json" },
        dependencies: Object.fromEntries(wanted.map((each) => [each, checkout.dependencies[each]])),
    };
}

/** Names of the packages that JavaScript loads, each once. */
export function requiredPackages(texts: readonly string[]): string[] {
    const targets = texts.flatMap((text) => [...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, target]) => target!));
    const names = targets
        .filter((target) => !target.startsWith(".") && !isBuiltin(target))
        .map((target) => target.split("/", target.startsWith("@") ? 2 : 1).join("/"));
    return [...new Set(names)];
}
