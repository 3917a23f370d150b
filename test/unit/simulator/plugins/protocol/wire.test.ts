import assert from "node:assert/strict";
import fc from "fast-check";
import { carrySecrets, containsSecret, decode, encode, reveal } from "../../../../../simulator/plugins/protocol/struct";
import { containsUnknown, isUnknown, Secret, secret, UNKNOWN } from "../../../../../simulator/plugins/protocol/values";

describe("properties on the wire", () => {
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant(UNKNOWN));
    // JavaScript would treat a literal key of this name as prototype syntax.
    const key = fc.string().filter((name) => name !== "__proto__");
    const { properties } = fc.letrec((tie) => ({
        value: fc.oneof({ maxDepth: 3 }, leaf, tie("secret"), fc.array(tie("value")), tie("properties")),
        secret: leaf.map((value) => new Secret(value)),
        properties: fc.dictionary(key, tie("value"), { noNullPrototype: true }),
    })) as { properties: fc.Arbitrary<Record<string, unknown>> };

    it("survive a round trip, secrets and unknowns included", () => {
        fc.assert(fc.property(properties, (value) => assert.deepEqual(decode(encode(value)), value)));
    });

    it("contain no secret once revealed", () => {
        fc.assert(fc.property(properties, (value) => !containsSecret(reveal(value))));
    });

    it("keep every secret of the inputs in outputs of the same names", () => {
        fc.assert(
            fc.property(properties, (inputs) => {
                const outputs = carrySecrets(reveal(inputs), inputs);
                assert.deepEqual(reveal(outputs), reveal(inputs));
                for (const name of Object.keys(inputs)) {
                    assert.equal(containsSecret(outputs[name]), containsSecret(inputs[name]));
                }
            }),
        );
    });

    it("lose undefined values, as in JSON", () => {
        assert.deepEqual(decode(encode({ a: undefined, b: { c: undefined } })), { b: {} });
    });

    it("hide a whole array for one secret in it, but only that part of an object", () => {
        const inputs = { list: [1, secret(2)], object: { open: 1, hidden: secret(2) } };
        const outputs = carrySecrets({ list: [1, 2], object: { open: 1, hidden: 2 } }, inputs);
        assert.deepEqual(outputs, { list: secret([1, 2]), object: { open: 1, hidden: secret(2) } });
    });
});

describe("unknown values", () => {
    it("are found at any depth, behind secrets too", () => {
        assert.ok(isUnknown(UNKNOWN));
        assert.ok(containsUnknown({ a: [{ b: secret(UNKNOWN) }] }));
        assert.ok(!containsUnknown({ a: ["b", { c: 1 }] }));
    });
});
