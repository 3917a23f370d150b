import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "json-schema-to-typescript";

/** The text of `types.ts`, from the published schema of the newest specification in use. */
export async function generateTypes(): Promise<string> {
    const schema = JSON.parse(readFileSync(join(__dirname, "schema/v3.5.json"), "utf8"));
    // The generator only supports newer drafts; nothing in the schema depends on the draft.
    delete schema.$schema;
    return compile(schema, "Config", {
        additionalProperties: false,
        bannerComment: "// Generated from schema/v3.5.json by generate-types.ts: do not edit.",
        style: { tabWidth: 4, printWidth: 120 },
    });
}

if (require.main === module) {
    void generateTypes().then((text) => writeFileSync(join(__dirname, "types.ts"), text));
}
