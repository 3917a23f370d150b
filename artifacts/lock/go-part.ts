import type { GoBuild, Part } from "../part";

type Options = Partial<Omit<GoBuild, "module">> &
    Partial<Omit<Part, "name" | "version" | "go">> & {
        /** Path of the module, without its version. */
        readonly module: string;
    };

/**
 * A part under the Apache licence whose Go module is pinned in the folder of its name, and whose only program is the main
 * package of the module. Options say what is different.
 */
export function goPart(name: string, version: string, options: Options): Part {
    const { module, licence = "Apache-2.0", homepage = homepageOf(module), usedHere, ...others } = options;
    const { served, servedArchive, official, ...build } = others;
    return {
        name,
        version,
        licence,
        homepage,
        ...(usedHere && { usedHere }),
        go: { folder: name, module: `${module}@v${version}`, binaries: { [name]: module }, ...build },
        ...(servedArchive && { servedArchive }),
        ...(served && { served }),
        ...(official && { official }),
    };
}

/** A module in a repository on GitHub begins with its address, and may end with its major version. */
function homepageOf(module: string): string {
    return `https://${module.split("/").slice(0, 3).join("/")}`;
}
