import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(__dirname, "../..");

/** SPDX identifier, SPDX expression, or free text. */
type Licence = { readonly expression: string } | { readonly license: { readonly id?: string; readonly name?: string } };

/** The used parts of CycloneDX. */
interface BillOfMaterials {
    readonly bomFormat: string;
    readonly specVersion: string;
    readonly metadata: { readonly component: { name: string; readonly "bom-ref": string } };
    components: readonly {
        readonly "bom-ref": string;
        readonly name: string;
        readonly group?: string;
        readonly version: string;
        readonly purl: string;
        licenses?: readonly Licence[];
    }[];
    dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/**
 * Every package that ours contains or may need, from package-lock.json. npm's own `--omit dev` would also omit packages that
 * development packages need too, such as `diff`.
 *
 * @param name - of our package
 */
export function billOfMaterials(name: string): BillOfMaterials {
    const args = ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"];
    const options = { cwd: ROOT, encoding: "utf8", maxBuffer: 64 << 20, stdio: "pipe" } as const;
    const parts: BillOfMaterials = JSON.parse(execFileSync("npm", args, options));
    // Otherwise it is the name of the checkout's folder.
    parts.metadata.component.name = name;
    const needed = neededPackages();
    parts.components = parts.components.filter(({ purl }) => needed.has(decodeURIComponent(purl)));
    for (const part of parts.components) {
        // npm omits licenses without an SPDX identifier.
        part.licenses ??= [{ license: { name: needed.get(decodeURIComponent(part.purl)) } }];
    }
    const refs = new Set([parts.metadata.component, ...parts.components].map((each) => each["bom-ref"]));
    parts.dependencies = parts.dependencies
        .filter(({ ref }) => refs.has(ref))
        .map((each) => ({ ...each, dependsOn: each.dependsOn.filter((ref) => refs.has(ref)) }));
    return parts;
}

/** Names of a component's licenses. */
export function licenceNames({ licenses = [] }: BillOfMaterials["components"][number]): string[] {
    return licenses.map((each) =>
        "expression" in each ? each.expression : (each.license.id ?? each.license.name ?? ""),
    );
}

/** Package URLs of production dependencies, with their declared license. */
function neededPackages(): Map<string, string> {
    const { packages } = JSON.parse(readFileSync(resolve(ROOT, "package-lock.json"), "utf8"));
    const locked = Object.entries<{ name?: string; version: string; dev?: boolean; license?: string }>(packages);
    return new Map(
        locked
            .filter(([path, { dev }]) => path !== "" && !dev)
            .map(([path, { name, version, license = "" }]) => [
                `pkg:npm/${name ?? path.replace(/^.*node_modules\//, "")}@${version}`,
                license,
            ]),
    );
}

/** Folders of the npm packages that contain these files. */
export function packageFolders(files: readonly string[]): string[] {
    const folders = files.map((file) => /^.*[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0]);
    return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/**
 * License texts of packages whose code is part of ours, as those require.
 *
 * @throws if one of them has no license text
 */
export function licenceNotices(folders: readonly string[]): string {
    const notices = folders.map((folder) => {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
        const file = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each));
        if (file === undefined) {
            throw new Error(`bundled packages must have a LICENSE file, which ${name} ${version} lacks`);
        }
        return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
    });
    return [
        "Agents in this package contain code of these packages. Other dependencies are installed separately.\n",
        ...notices,
    ].join(`\n${"-".repeat(80)}\n\n`);
}
