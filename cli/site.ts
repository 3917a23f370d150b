import { join } from "node:path";
import { ensureNpmPackages } from "./npm-packages.cjs";
import { PROJECT_DIR } from "./pulumi-env";
import { runHere } from "./run-here";

const SITE = join(PROJECT_DIR, "site");

/** `npm run site`: the pages of docs/ as a site of their own, in dist/site. Its packages are not ours. */
export async function main(): Promise<number> {
    await ensureNpmPackages(SITE);
    return runHere("npm", ["--prefix", SITE, "run", "build"]);
}
