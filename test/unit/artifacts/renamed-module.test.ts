import assert from "node:assert/strict";
import { renamed } from "../../../artifacts/go-build";

describe("a file of Go whose API has another version's name", () => {
    const change = (text: string) => renamed(text, "example.com/apis", "v1beta1", "v1");
    const table: [string, string, string][] = [
        ["is of the package", "package v1beta1\n", "package v1\n"],
        [
            "imports it under the name that it uses",
            '\t"example.com/apis/a/v1beta1"',
            '\tv1beta1 "example.com/apis/a/v1"',
        ],
        ["imports it under a name of its own", 'x "example.com/apis/a/v1beta1"', 'x "example.com/apis/a/v1"'],
        ["imports what is below it", '\t"example.com/apis/a/v1beta1/fake"', '\t"example.com/apis/a/v1/fake"'],
        ["imports others as they are", '\t"k8s.io/api/policy/v1beta1"', '\t"k8s.io/api/policy/v1beta1"'],
        ["says its version", 'Version: "v1beta1"', 'Version: "v1"'],
        ["has methods that are called so", "c.ExampleV1beta1().Get", "c.ExampleV1().Get"],
        ["uses it", "x := v1beta1.Thing{}", "x := v1beta1.Thing{}"],
    ];
    for (const [title, before, after] of table) {
        it(title, () => assert.equal(change(before), after));
    }
});
