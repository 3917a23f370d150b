import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const ROOT = resolve(__dirname, "..");

/** By its name of SPDX, as an expression of several, or in words. */
type Licence = { readonly expression: string } | { readonly license: { readonly id?: string; readonly name?: string } };

/** What of CycloneDX is read here. */
export interface BillOfMaterials {
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
 * Every package that ours has in it or may need, as package-lock.json has them. npm's own `--omit dev` leaves out what
 * packages for development need too, such as `diff`.
 *
 * @param name - of ours
 */
export function billOfMaterials(name: string): BillOfMaterials {
    const args = ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"];
    const options = { cwd: ROOT, encoding: "utf8", maxBuffer: 64 << 20, stdio: "pipe" } as const;
    const parts: BillOfMaterials = JSON.parse(execFileSync("npm", args, options));
    // Else the name of the checkout's folder.
    parts.metadata.component.name = name;
    const needed = neededPackages();
    parts.components = parts.components.filter(({ purl }) => needed.has(decodeURIComponent(purl)));
    for (const part of parts.components) {
        // npm leaves out those that are no names of SPDX.
        part.licenses ??= [{ license: { name: needed.get(decodeURIComponent(part.purl)) } }];
    }
    const refs = new Set([parts.metadata.component, ...parts.components].map((each) => each["bom-ref"]));
    parts.dependencies = parts.dependencies
        .filter(({ ref }) => refs.has(ref))
        .map((each) => ({ ...each, dependsOn: each.dependsOn.filter((ref) => refs.has(ref)) }));
    return parts;
}

/** What a part's licence is called. */
export function licenceNames({ licenses = [] }: BillOfMaterials["components"][number]): string[] {
    return licenses.map((each) =>
        "expression" in each ? each.expression : (each.license.id ?? each.license.name ?? ""),
    );
}

/** Addresses of packages that are not for development alone, with what they say of their licence. */
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
