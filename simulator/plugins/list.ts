import { join } from "node:path";
import { versions } from "../../versions";

/** A plugin of the engine that this project needs. */
export interface Plugin {
    readonly kind: "resource" | "language";
    readonly name: string;
    readonly version: string;
    /** Folder of the stand-in below `simulator/`, with its `main.ts`. */
    readonly folder: string;
}

/** What our programs use. A provider's version is that of its installed SDK, which requests exactly that version. */
export function plugins(): Plugin[] {
    return [
        { kind: "language", name: "nodejs", version: versions.pulumi, folder: "plugins/nodejs" },
        ...["kubernetes", "tls", "command"].map((name) => ({
            kind: "resource" as const,
            name,
            version: sdkVersion(name),
            folder: `plugins/${name}`,
        })),
    ];
}

/** Where the engine looks for an installed plugin. */
export function pluginFolder(pulumiHome: string, { kind, name, version }: Plugin): string {
    return join(pulumiHome, "plugins", `${kind}-${name}-v${version}`);
}

/** The name of the executable that the engine looks for. */
export function executable({ kind, name }: Plugin): string {
    return `pulumi-${kind}-${name}`;
}

function sdkVersion(name: string): string {
    const { version, pulumi } = require(`@pulumi/${name}/package.json`);
    return (pulumi?.version ?? version).replace(/^v/, "");
}
