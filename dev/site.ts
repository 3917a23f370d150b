import { join } from "node:path";
import { runHere } from "../command-line/run-here";
import { PROJECT_DIR } from "../local/pulumi";
import { ensureNpmPackages } from "./npm-packages.cjs";

const SITE = join(PROJECT_DIR, "site");

/** `npm run site`: the pages of docs/ as a site of their own, in dist/site. Its packages are not ours. */
export async function main(): Promise<number> {
    await ensureNpmPackages(SITE);
    return runHere("npm", ["--prefix", SITE, "run", "build"]);
}
