import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CommentedSchema, optionSchemas } from "../../../../dev/reference/option-schema";

describe("the schema of options", function () {
    this.timeout(20_000);

    const folder = mkdtempSync(join(tmpdir(), "tradewind-options-"));
    after(() => rmSync(folder, { recursive: true }));

    /** The schema of an interface with these members. */
    function schemaOf(members: string): CommentedSchema {
        const path = join(folder, "options.ts");
        writeFileSync(path, `${declarations}\nexport interface Options {\n ${members} }`);
        return optionSchemas({ Options: path }).Options!;
    }

    const declarations = `
        interface Shared {
            /** Addresses of pods. @default "10.2.0.0/16" */
            podCidr?: string;
            /** Not of stacks. */
            name: string;
        }
        /** Workers take HTTP. */
        interface Ingress {
            /** Which. @minItems 1 */
            pools: string[];
        }`;

    /** The schema of one option. */
    const ofType = (type: string) => {
        const { comment, ...schema } = schemaOf(`/** What it is. */\n option: ${type};`).properties!.option!;
        assert.equal(comment!.text, "What it is.");
        return schema;
    };

    it("has the types that configurations have", () => {
        assert.deepEqual(ofType("string"), { type: "string" });
        assert.deepEqual(ofType("number"), { type: "integer" });
        assert.deepEqual(ofType("boolean"), { type: "boolean" });
        assert.deepEqual(ofType('"a" | "b"'), { enum: ["a", "b"] });
        assert.deepEqual(ofType('(number | "plain")[]'), {
            type: "array",
            items: { anyOf: [{ type: "integer" }, { enum: ["plain"] }] },
        });
        assert.deepEqual(ofType("Record<string, string | number | boolean>"), {
            type: "object",
            additionalProperties: { type: ["string", "number", "boolean"] },
        });
        assert.throws(() => ofType("Missing"), /^Error: Options\.option must be of a type/);
    });

    it("has members of other interfaces, with their comments", () => {
        const { properties, required } = schemaOf(
            "ingress: Ingress;\n /** Shared. */ other?: Partial<Shared>;\n /** Own. */ own?: Omit<Shared, 'name'>",
        );
        assert.deepEqual(required, ["ingress"]);
        assert.equal(properties!.ingress!.comment!.text, "Workers take HTTP.");
        assert.equal(properties!.ingress!.properties!.pools!.minItems, 1);
        assert.deepEqual(Object.keys(properties!.other!.properties!), ["podCidr", "name"]);
        assert.equal(properties!.other!.required, undefined);
        assert.deepEqual(properties!.own!.properties!.podCidr!.comment, {
            text: "Addresses of pods.",
            default: "`10.2.0.0/16`",
            see: [],
            checks: {},
        });
    });

    it("needs a comment on each option", () => {
        assert.throws(() => schemaOf("size?: string"), {
            message: "Options.size has no description: add a comment",
        });
    });
});
