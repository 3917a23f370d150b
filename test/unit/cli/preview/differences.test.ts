import assert from "node:assert/strict";
import { differences, SECRET } from "../../../../cli/preview/differences";

const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("the differences between two values", () => {
    it("are empty for equal values", () => {
        const value = { a: [1, { b: "text" }], c: SECRET };
        assert.deepEqual(differences(value, structuredClone(value)), []);
    });

    it("list added, removed and changed values by path", () => {
        assert.deepEqual(
            differences({ gone: 1, same: 1, "a.b": { c: "x" } }, { same: 1, "a.b": { c: "y" }, new: [] }),
            [
                { path: '["a.b"].c', lines: ["-x", "+y"] },
                { path: "gone", lines: ["-1"] },
                { path: "new", lines: ["+[]"] },
            ],
        );
    });

    it("compare lists of strings line by line, so that an insertion at the start moves nothing", () => {
        const flags = ["--b=1", "--c=1"];
        assert.deepEqual(differences({ command: flags }, { command: ["--a=1", ...flags] }), [
            { path: "command", lines: ["+--a=1", " --b=1", " --c=1"] },
        ]);
    });

    it("only contain the new items of a growing list", () => {
        assert.deepEqual(differences(["a", "b"], ["a", "b", "c"]), [{ path: "", lines: [" a", " b", "+c"] }]);
    });

    it("compare named items by name, regardless of their position", () => {
        const [a, b] = [
            { name: "a", image: "a:1" },
            { name: "b", image: "b:1" },
        ];
        assert.deepEqual(differences([a, b], [{ ...b, image: "b:2" }, a]), [
            { path: "[b].image", lines: ["-b:1", "+b:2"] },
        ]);
    });

    it("show the context of changes in long texts", () => {
        const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
        const other = lines.with(10, "another");
        assert.deepEqual(differences({ script: lines.join("\n") }, { script: other.join("\n") }), [
            {
                path: "script",
                lines: [" …", " line 8", " line 9", "-line 10", "+another", " line 11", " line 12"],
            },
        ]);
    });

    it("look inside JSON and base64", () => {
        const folded = (port: number) => ({
            userData: base64(JSON.stringify({ plan: { port, kept: "x".repeat(40) } })),
        });
        assert.deepEqual(differences(folded(1), folded(2)), [{ path: "userData.plan.port", lines: ["-1", "+2"] }]);
    });

    it("mark values that are known later, without showing long old values", () => {
        const later = (value: unknown) => differences({ a: value }, { a: "[known after up]" });
        assert.deepEqual(later("10.0.0.1"), [{ path: "a", lines: ["-10.0.0.1", "+[known after up]"] }]);
        assert.deepEqual(later("-----BEGIN\nCERTIFICATE"), [{ path: "a", lines: ["+[known after up]"] }]);
    });

    it("report changed secrets if Pulumi reports them, by a path inside or around them", () => {
        const values = { data: SECRET, spec: { token: SECRET, other: SECRET } };
        const lines = [`~${SECRET}, changed`];
        assert.deepEqual(differences(values, values, ["data.key", "spec.token"]), [
            { path: "data", lines },
            { path: "spec.token", lines },
        ]);
        assert.deepEqual(differences({ dat: SECRET }, { dat: SECRET }, ["data"]), []);
    });
});
