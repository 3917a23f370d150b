import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Name of the folder in `artifacts/go` that pins a version of a part: the version's own, or else that of its minor version
 * (`kubernetes-1.37`), or else the part's, for the default version.
 */
export function versionFolder(part: string, version: string): string {
    const names = [`${part}-${version}`, `${part}-${version.replace(/\.\d+$/, "")}`];
    return names.find((name) => existsSync(join(__dirname, "../go", name))) ?? part;
}
