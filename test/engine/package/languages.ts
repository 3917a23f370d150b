import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { programPath } from "../../../artifacts/programs";
import { pythonPackages } from "../../../artifacts/python-item";
import { cacheDir } from "../../../cache";
import { root } from "../../../dev/release/empty-project";
import { installStandIn } from "../../../simulator/plugins/stand-in";
import { versions } from "../../../versions";
import { pulumiHome } from "../pulumi-home";
import type { Workspace } from "../workspace";

/** A home of the engine with hosts for Go, Python and YAML, and with clouds, which a plugin's own packages need. */
export async function homeOfLanguages(): Promise<string> {
    const home = mkdtempSync(join(tmpdir(), "tradewind-languages-"));
    cpSync(await pulumiHome(), home, { recursive: true });
    const plugins = join(home, "plugins");
    for (const name of ["go", "python"]) {
        const plugin = {
            kind: "language",
            name,
            version: versions.pulumi,
            folder: `../test/engine/language-hosts/${name}`,
        } as const;
        await installStandIn(plugin, join(plugins, `language-${name}-v${versions.pulumi}`));
    }
    const link = (kind: string, name: string, version: string, from: string) => {
        const folder = join(plugins, `${kind}-${name}-v${version}`);
        mkdirSync(folder);
        symlinkSync(from, join(folder, `pulumi-${kind}-${name}`));
    };
    link("language", "yaml", versions.pulumiYaml, programPath("pulumi-language-yaml"));
    for (const name of ["aws", "digitalocean"]) {
        const { version } = require(`@pulumi/${name}/package.json`);
        link("resource", name, version, join(root, "simulator/clouds/bin", `pulumi-resource-${name}`));
    }
    return home;
}

/**
 * Replaces a workspace's program with an example in another language, with a plugin's folder as its package, as
 * `pulumi package add` does.
 */
export async function takeExample(workspace: Workspace, language: string, plugin: string): Promise<void> {
    cpSync(join(root, "examples", language), workspace.dir, { recursive: true });
    change(workspace, (project) => ({ ...project, name: "test" }));
    const { exitCode, output } = await workspace.pulumi("package", "add", plugin);
    assert.equal(exitCode, 0, output);
}

/** Rewrites a workspace's Pulumi.yaml. */
// biome-ignore lint/suspicious/noExplicitAny: what a project has.
export function change(workspace: Workspace, changed: (project: any) => object): void {
    workspace.write(
        "Pulumi.yaml",
        stringify(changed(parse(workspace.read("Pulumi.yaml"))), { aliasDuplicateObjects: false }),
    );
}

/** What `pulumi install` creates for Python: an environment with Pulumi's SDK and the package's. */
export function installPythonSdks(folder: string): void {
    execFileSync("python3", ["-m", "venv", "--without-pip", join(folder, "venv")]);
    const print = "import sysconfig; print(sysconfig.get_path('purelib'))";
    const packages = execFileSync(join(folder, "venv/bin/python"), ["-c", print], { encoding: "utf8" }).trim();
    execFileSync("tar", ["-xf", join(cacheDir(), pythonPackages), "-C", packages]);
    cpSync(join(folder, "sdks/tradewind/pulumi_tradewind"), join(packages, "pulumi_tradewind"), { recursive: true });
    const about = join(packages, "pulumi_tradewind-0.0.0.dist-info");
    mkdirSync(about);
    writeFileSync(join(about, "METADATA"), "Metadata-Version: 2.1\nName: pulumi_tradewind\nVersion: 0.0.0\n");
}

/** What `pulumi install` creates for Go: a module of the package's SDK, required by the program's module. */
export function installGoSdk(folder: string): void {
    const name = "example.com/pulumi-tradewind/sdk/go";
    const pulumi = `github.com/pulumi/pulumi/sdk/v3 v${versions.pulumi}`;
    writeFileSync(join(folder, "sdks/tradewind/go.mod"), `module ${name}\n\ngo 1.24\n\nrequire ${pulumi}\n`);
    appendFileSync(join(folder, "go.mod"), `\nrequire ${name} v0.0.0\n\nreplace ${name} => ./sdks/tradewind\n`);
}
