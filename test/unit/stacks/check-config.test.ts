import assert from "node:assert/strict";
import type { Schema } from "../../../cluster/check-shape";
import { checkConfig } from "../../../stacks/check-config";

const named: Schema = {
    type: "object",
    properties: { name: { type: "string" } },
    required: ["name"],
    additionalProperties: false,
};
const schema: Schema = {
    type: "object",
    properties: {
        controllers: {
            anyOf: [{ type: "integer" }, { ...named, properties: { count: { type: "integer" } }, required: [] }],
        },
        workerPools: { type: "array", items: named },
        channel: { enum: ["none", "patch"] },
        keys: { type: "array", items: { anyOf: [{ enum: ["plain"] }, { type: "integer" }] }, minItems: 1 },
        flags: { type: "object", additionalProperties: { type: ["string", "number", "boolean"] } },
        sha256: { type: "string", format: "sha256" },
    },
    required: ["controllers"],
    additionalProperties: false,
};

describe("the check of a configuration", () => {
    const errors = (value: object) => checkConfig(schema, { controllers: 1, ...value }).errors;

    for (const [what, value, message] of [
        [
            "an unknown key",
            { colour: "red" },
            "tradewind:colour must be a known key (got colour): known are controllers, workerPools, channel, keys, flags, sha256",
        ],
        [
            "an unknown key inside",
            { workerPools: [{ name: "a", size: 1 }] },
            "tradewind:workerPools[0].size must be a known key (got size): known are name",
        ],
        [
            "an unknown key and the known one that is like it",
            { workerPool: [] },
            "tradewind:workerPool must be a known key (got workerPool): did you mean workerPools?",
        ],
        [
            "a wrong type inside",
            { workerPools: [{ name: 5 }] },
            "tradewind:workerPools[0].name must be a string (got 5)",
        ],
        ["a missing key", { workerPools: [{}] }, "tradewind:workerPools[0].name must be a string (got nothing)"],
        ["a fraction", { controllers: 1.5 }, "tradewind:controllers must be a whole number or an object (got 1.5)"],
        [
            "neither of two types",
            { controllers: "x" },
            'tradewind:controllers must be a whole number or an object (got "x")',
        ],
        [
            "a wrong value of an object that may be a number",
            { controllers: { count: "x" } },
            'tradewind:controllers.count must be a whole number (got "x")',
        ],
        ["another value", { channel: "major" }, 'tradewind:channel must be one of none, patch (got "major")'],
        ["an empty list", { keys: [] }, "tradewind:keys must be a list of at least 1 (got [])"],
        ["a wrong item", { keys: ["none"] }, 'tradewind:keys[0] must be plain or a whole number (got "none")'],
        ["a wrong value of a map", { flags: { v: null } }, "tradewind:flags.v must be a string (got null)"],
        ["a wrong hash", { sha256: "0" }, 'tradewind:sha256 must be a SHA-256 of 64 hexadecimal digits (got "0")'],
    ] as const) {
        it(`reports ${what}`, () => {
            assert.deepEqual(errors(value), [message]);
        });
    }

    it("shows nothing of what is secret", () => {
        const value = { controllers: 1, workerPools: [{ name: 5 }, {}] };
        assert.deepEqual(checkConfig(schema, value, (key) => key === "workerPools").errors, [
            "tradewind:workerPools[0].name must be a string (got [secret])",
            "tradewind:workerPools[1].name must be a string (got nothing)",
        ]);
    });

    it("reads text that Pulumi stores as a number or a boolean, in the given order", () => {
        const config = { flags: { v: 2, alsologtostderr: true, rate: 0.5 }, keys: [1, "plain"], controllers: 3 };
        const { value, errors } = checkConfig(schema, config);
        assert.deepEqual(errors, []);
        assert.equal(
            JSON.stringify(value),
            '{"controllers":3,"flags":{"v":"2","alsologtostderr":"true","rate":"0.5"},"keys":[1,"plain"]}',
        );
    });
});
