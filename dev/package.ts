import { execFileSync, type StdioOptions } from "node:child_process";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { command } from "../command-line/command";
import { matching, value } from "../command-line/parse";
import { PROJECT_DIR } from "../local/pulumi";
import { billOfMaterials } from "./release/bill-of-materials";
import { buildPackage } from "./release/build";
import { CHECKS } from "./release/checks";
import { EmptyProject } from "./release/empty-project";

const httpsUrl = matching("an https URL without .git at its end", /^https:\/\/[^\s?#]+(?<!\.git|\/)$/);

/** `npm run package`: builds the npm package as a folder and as an archive to publish, and its software bill of materials. */
export const program = command(
    {
        name: "npm run package --",
        about: "Builds the npm package, for programs that import the components, and checks it in an empty project.",
        options: {
            repository: value("URL", "URL of the source, for package.json", httpsUrl, {
                otherwise: "that of the checkout's package.json, if any",
            }),
            output: value("DIR", "output folder for the package and its archive", undefined, { otherwise: "dist" }),
        },
    },
    ({ output = "dist", repository }) => build(resolve(output), repository),
);

export const main = program.run;

async function build(output: string, repository?: string): Promise<number> {
    const folder = resolve(output, "package");
    console.log("==> compile, and bundle the agents");
    await buildPackage(folder, repository);
    const archive = JSON.parse(npm("pack", folder, "--pack-destination", output, "--json"))[0];
    const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`;
    const { entryCount, unpackedSize, size } = archive;
    console.log(`    ${entryCount} files, ${megabytes(unpackedSize)}, packed ${megabytes(size)}`);
    await checkIt(resolve(output, archive.filename));
    const parts = billOfMaterials(archive.name);
    writeFileSync(resolve(output, "sbom.cdx.json"), `${JSON.stringify(parts, undefined, 2)}\n`);
    console.log(`    ${parts.components.length} possible dependencies: ${resolve(output, "sbom.cdx.json")}`);
    console.log(`\nIn your project, run: npm install ${resolve(output, archive.filename)}`);
    return 0;
}

/** Checks the archive in a project without other packages. */
async function checkIt(archive: string): Promise<void> {
    console.log("==> install and check it in an empty project");
    const project = new EmptyProject();
    try {
        project.install(archive);
        for (const [does, check] of Object.entries(CHECKS)) {
            await check(project);
            console.log(`    it ${does}`);
        }
    } finally {
        project.remove();
    }
}

function npm(...args: string[]): string {
    const options = { cwd: PROJECT_DIR, stdio: ["ignore", "pipe", "inherit"] as StdioOptions, maxBuffer: 64 << 20 };
    return execFileSync("npm", args, { ...options, encoding: "utf8" });
}
