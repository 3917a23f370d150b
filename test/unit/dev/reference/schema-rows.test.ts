import assert from "node:assert/strict";
import { z } from "zod";
import { type Schema, schemaRows } from "../../../../dev/reference/schema-rows";

describe("rows of the reference", () => {
    it("contain each key before its nested keys, with its type and whether it is required", () => {
        const schema = z.strictObject({
            name: z.string(),
            size: z.union([z.int(), z.strictObject({ kind: z.enum(["s", "l"]) })]).optional(),
            pools: z.array(z.strictObject({ labels: z.record(z.string(), z.string()).optional() })).optional(),
            keys: z.array(z.union([z.int(), z.literal("plain")])).optional(),
            isOpen: z.boolean().default(true),
        });
        const rows = schemaRows(z.toJSONSchema(schema, { io: "input" }) as Schema);
        assert.deepEqual(
            rows.map(({ key, type, isRequired }) => [key, type, isRequired]),
            [
                ["name", "string", true],
                ["size", "whole number or object", false],
                ["size.kind", "`s`, `l`", true],
                ["pools", "list of object", false],
                ["pools[].labels", "map to string", false],
                ["keys", "list of (whole number or `plain`)", false],
                ["isOpen", "boolean", false],
            ],
        );
    });
});
