import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { cacheDir, programPath, versions } from "../../../artifacts";
import { pythonPackages } from "../../../artifacts/python-item";
import { installStandIn } from "../../../simulator/stand-in";
import { pulumiHome } from "../pulumi-home";
import type { Workspace } from "../workspace";
import { root } from "./project";

/** A home of the engine with hosts of YAML and Python, and with clouds, which a plugin's own packages ask for. */
export async function homeOfLanguages(): Promise<string> {
    const home = mkdtempSync(join(tmpdir(), "tradewind-languages-"));
    cpSync(await pulumiHome(), home, { recursive: true });
    const plugins = join(home, "plugins");
    for (const name of ["python", "yaml"]) {
        const plugin = { kind: "language", name, version: versions.pulumi, folder: `language-${name}` } as const;
        await installStandIn(plugin, join(plugins, `language-${name}-v${versions.pulumi}`));
    }
    for (const name of ["aws", "digitalocean"]) {
        const folder = join(plugins, `resource-${name}-v${require(`@pulumi/${name}/package.json`).version}`);
        mkdirSync(folder);
        const executable = `pulumi-resource-${name}`;
        symlinkSync(join(root, "simulator/clouds", executable), join(folder, executable));
    }
    return home;
}

/** An example in another language in the place of a workspace's program, with a plugin from a folder as its package. */
export function takeExample(
    workspace: Workspace,
    language: string,
    plugin: string,
    change = (project: object) => project,
) {
    const example = join(root, "examples", language);
    cpSync(example, workspace.dir, { recursive: true });
    const project = parse(readFileSync(join(example, "Pulumi.yaml"), "utf8"));
    workspace.write("Pulumi.yaml", stringify(change({ ...project, name: "test", packages: { tradewind: plugin } })));
}

/** What `pulumi package add` and `pulumi install` make for Python, of a schema: an environment with a package's SDK. */
export function installPythonSdk(folder: string, schema: string): void {
    execFileSync("python3", ["-m", "venv", "--without-pip", join(folder, "venv")]);
    const print = "import sysconfig; print(sysconfig.get_path('purelib'))";
    const packages = execFileSync(join(folder, "venv/bin/python"), ["-c", print], { encoding: "utf8" }).trim();
    execFileSync("tar", ["-xf", join(cacheDir(), pythonPackages), "-C", packages]);
    writeFileSync(join(folder, "schema.json"), schema);
    const sdk = join(folder, "sdk");
    execFileSync(programPath("pulumi-generate-sdk"), ["python", join(folder, "schema.json"), sdk]);
    cpSync(join(sdk, "pulumi_tradewind"), join(packages, "pulumi_tradewind"), { recursive: true });
    const about = join(packages, "pulumi_tradewind-0.0.0.dist-info");
    mkdirSync(about);
    const { version } = JSON.parse(schema);
    writeFileSync(join(about, "METADATA"), `Metadata-Version: 2.1\nName: pulumi_tradewind\nVersion: ${version}\n`);
}
