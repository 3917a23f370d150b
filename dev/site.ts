import { join } from "node:path";
import { runHere } from "../command-line/run-here";
import { PROJECT_DIR } from "../local/pulumi";
import { ensureNpmPackages } from "./npm-packages.cjs";

const SITE = join(PROJECT_DIR, "site");

/** `npm run site`: builds docs/ as a website in dist/site, with npm packages of its own. */
export async function main(): Promise<number> {
    await ensureNpmPackages(SITE);
    return runHere("npm", ["--prefix", SITE, "run", "build"]);
}
