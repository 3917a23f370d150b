import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { buildPackage } from "../release/build";
import { parseCommandLine } from "./parse-command-line";
import { PROJECT_DIR } from "./pulumi-env";

const HELP = `Makes the npm package, for programs that import the components.

Usage: npm run package -- [options]

  --output DIR   where its folder and its archive go   (default dist)
  -h, --help
`;

/** `npm run package`: the npm package as a folder, and as the archive that is published. */
export async function main(args: readonly string[]): Promise<number> {
    const { values } = parseCommandLine("npm run package -- --help", {
        args: [...args],
        options: { output: { type: "string", default: "dist" }, help: { type: "boolean", short: "h" } },
    });
    if (values.help) {
        process.stdout.write(HELP);
        return 0;
    }
    const output = resolve(values.output);
    const folder = resolve(output, "package");
    console.log("==> compiling, and bundling the agents");
    buildPackage(folder);
    const packed = execFileSync("npm", ["pack", folder, "--pack-destination", output, "--json"], {
        cwd: PROJECT_DIR,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "inherit"],
    });
    const [{ filename, entryCount, size, unpackedSize }] = JSON.parse(packed);
    const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`;
    console.log(`    ${entryCount} files, ${megabytes(unpackedSize)}, packed ${megabytes(size)}`);
    console.log(`\nIn a project of yours: npm install ${resolve(output, filename)}`);
    return 0;
}
