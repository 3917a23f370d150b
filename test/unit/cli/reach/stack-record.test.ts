import assert from "node:assert/strict";
import { parseExport, recordIn } from "../../../../cli/reach/stack-record";

const record = { options: { name: "c" }, machines: { "c-controller-0": "192.0.2.11" } };
const secret = (value: unknown) => ({
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    plaintext: JSON.stringify(value),
});
const exported = (recovery: unknown) => ({
    deployment: { resources: [{ type: "a:b:C" }, { type: "tradewind:index:LocalCluster", outputs: { recovery } }] },
});

describe("the recovery record in a stack's state", () => {
    it("is read whether all of it or a part is secret", () => {
        assert.deepEqual(recordIn(exported(secret(record)), "c"), record);
        assert.deepEqual(recordIn(exported({ ...record, machines: secret(record.machines) }), "c"), record);
    });

    it("is never quoted in an error", () => {
        for (const text of [
            "hunter2",
            "Using pulumi 3\n{}",
            "",
            '{"deployment":{"resources":{"a":"hunter2"}}}',
            "[1",
        ]) {
            const message = "pulumi stack export must print the state as JSON, and nothing else";
            assert.throws(() => parseExport(text), { message });
        }
        const { plaintext: _, ...encrypted } = secret(record);
        assert.throws(() => recordIn(exported({ ...record, machines: encrypted }), "c"), {
            message: "a secret of the stack's state is still encrypted",
        });
        assert.deepEqual(parseExport("null"), {});
    });

    it("must exist, and the error says how to create it", () => {
        for (const state of [{}, { deployment: {} }, { deployment: { resources: [{ type: "a:b:C" }] } }]) {
            assert.throws(
                () => recordIn(state, "c"),
                /the state of the stack c has no recovery record: .* Run pulumi up to write it/,
            );
        }
    });
});
