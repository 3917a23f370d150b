import assert from "node:assert/strict";
import type { Schema } from "../../../../cluster/check-shape";
import { schemaRows } from "../../../../dev/reference/schema-rows";

describe("rows of the reference", () => {
    it("contain each key before its nested keys, with its type and whether it is required", () => {
        const object = (properties: Schema["properties"], required: string[] = []): Schema => ({
            type: "object",
            properties,
            required,
        });
        const map: Schema = { type: "object", additionalProperties: { type: ["string", "number", "boolean"] } };
        const schema = object(
            {
                name: { type: "string" },
                size: { anyOf: [{ type: "integer" }, object({ kind: { enum: ["s", "l"] } }, ["kind"])] },
                pools: { type: "array", items: object({ labels: map }) },
                keys: { type: "array", items: { anyOf: [{ type: "integer" }, { enum: ["plain"] }] } },
                open: { type: "boolean" },
            },
            ["name"],
        );
        assert.deepEqual(
            schemaRows(schema).map(({ key, type, isRequired }) => [key, type, isRequired]),
            [
                ["name", "string", true],
                ["size", "whole number or object", false],
                ["size.kind", "`s`, `l`", true],
                ["pools", "list of object", false],
                ["pools[].labels", "map to string", false],
                ["keys", "list of (whole number or `plain`)", false],
                ["open", "boolean", false],
            ],
        );
    });
});
