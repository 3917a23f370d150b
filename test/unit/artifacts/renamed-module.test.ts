import assert from "node:assert/strict";
import { renamed } from "../../../artifacts/go-build";

describe("a Go file after renaming an API version", () => {
    const change = (text: string) => renamed(text, "example.com/apis", "v1beta1", "v1");
    const table: [string, string, string][] = [
        ["has the new package name", "package v1beta1\n", "package v1\n"],
        [
            "imports it under the name that it uses",
            '\t"example.com/apis/a/v1beta1"',
            '\tv1beta1 "example.com/apis/a/v1"',
        ],
        ["imports it under an alias", 'x "example.com/apis/a/v1beta1"', 'x "example.com/apis/a/v1"'],
        ["imports its subpackages", '\t"example.com/apis/a/v1beta1/fake"', '\t"example.com/apis/a/v1/fake"'],
        ["imports other packages unchanged", '\t"k8s.io/api/policy/v1beta1"', '\t"k8s.io/api/policy/v1beta1"'],
        ["contains the new version", 'Version: "v1beta1"', 'Version: "v1"'],
        ["keeps methods of that name", "c.ExampleV1beta1().Get", "c.ExampleV1().Get"],
        ["uses it", "x := v1beta1.Thing{}", "x := v1beta1.Thing{}"],
    ];
    for (const [title, before, after] of table) {
        it(title, () => assert.equal(change(before), after));
    }
});
