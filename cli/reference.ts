import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_DIR } from "./pulumi-env";
import { commandsReference } from "./reference/commands";
import { configurationReference } from "./reference/configuration";
import { flagTable } from "./reference/flag-table";
import { flagsReference } from "./reference/flags";
import { pluginSchema } from "./reference/plugin-schema";
import { rightsReference } from "./reference/rights";

/** Pages, and the schema for other languages, that are made of the code, by their paths. */
export const REFERENCES: Readonly<Record<string, () => string>> = {
    "docs/reference.md": configurationReference,
    "docs/commands.md": commandsReference,
    "docs/rights.md": rightsReference,
    "docs/flags.md": flagsReference,
    "plugin/schema.json": pluginSchema,
};

/** What programs of the cache say of their flags, which a package has to know without them. */
export const FLAG_TABLE = "components/cluster/known-flags.json";

/** `npm run reference`: writes them. */
export async function main(): Promise<number> {
    const flags = flagTable();
    if (flags !== undefined) writeFileSync(join(PROJECT_DIR, FLAG_TABLE), flags);
    console.log(
        flags
            ? FLAG_TABLE
            : `${FLAG_TABLE} stays: the cache lacks versions, which npm run artifacts -- fill has it get`,
    );
    for (const [path, text] of Object.entries(REFERENCES)) {
        writeFileSync(join(PROJECT_DIR, path), text());
        console.log(path);
    }
    return 0;
}
