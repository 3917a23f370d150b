import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_DIR } from "./pulumi-env";
import { commandsReference } from "./reference/commands";
import { configurationReference } from "./reference/configuration";
import { pluginSchema } from "./reference/plugin-schema";
import { rightsReference } from "./reference/rights";

/** Pages, and the schema for other languages, that are made of the code, by their paths. */
export const REFERENCES: Readonly<Record<string, () => string>> = {
    "docs/reference.md": configurationReference,
    "docs/commands.md": commandsReference,
    "docs/rights.md": rightsReference,
    "plugin/schema.json": pluginSchema,
};

/** `npm run reference`: writes them. */
export async function main(): Promise<number> {
    for (const [path, text] of Object.entries(REFERENCES)) {
        writeFileSync(join(PROJECT_DIR, path), text());
        console.log(path);
    }
    return 0;
}
