import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const ROOT = resolve(__dirname, "..");

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
    const refs = new Set([parts.metadata.component, ...parts.components].map((each) => each["bom-ref"]));
    parts.dependencies = parts.dependencies
        .filter(({ ref }) => refs.has(ref))
        .map((each) => ({ ...each, dependsOn: each.dependsOn.filter((ref) => refs.has(ref)) }));
    return parts;
}

/** Addresses of packages that are not for development alone. */
function neededPackages(): Set<string> {
    const { packages } = JSON.parse(readFileSync(resolve(ROOT, "package-lock.json"), "utf8"));
    const locked = Object.entries<{ name?: string; version: string; dev?: boolean }>(packages);
    return new Set(
        locked
            .filter(([path, { dev }]) => path !== "" && !dev)
            .map(([path, { name, version }]) => `pkg:npm/${name ?? path.replace(/^.*node_modules\//, "")}@${version}`),
    );
}
