import assert from "node:assert/strict";
import { textOf } from "./pages";
import { problemsOf, rowsBelow } from "./tested-claims";

const page = "docs/threat-model.md";
const claims = rowsBelow(page, "Tested claims");
const attacks = rowsBelow(page, "Tested attacks");

describe("the threat model", () => {
    it("has claims about every part in its first list, and about no other", () => {
        const [first] = textOf(page).split("\n## ");
        const parts = [...first!.matchAll(/^- \*\*(.*?)\.\*\*/gm)].map(([, part]) => part!);
        assert.ok(parts.length > 5);
        assert.deepEqual([...new Set(claims.map(([who]) => who))], parts);
    });

    it("names an existing test of each claim and each attack, or says that there is none", () => {
        assert.ok(claims.length > 20 && attacks.length > 30, `${claims.length}, ${attacks.length}`);
        assert.deepEqual(
            [...claims, ...attacks].flatMap((row) => problemsOf(row.at(-1)!)),
            [],
        );
    });

    it("has all attacks of the intruders", () => {
        const named = attacks.map((row) => row.at(-1)!).join("\n");
        for (const suite of ["with-a-worker", "with-an-account", "in-a-pod", "with-a-token", "with-a-candidate"]) {
            assert.ok(named.includes(`test/cluster/intruder/${suite}.ts`), suite);
        }
    });
});

describe("the tests that the security page names", () => {
    it("exist, and no claim there is without one", () => {
        const rows = rowsBelow("docs/security.md", "Tests");
        assert.ok(rows.length > 10);
        assert.deepEqual(
            rows.flatMap((row) => problemsOf(row.at(-1)!)),
            [],
        );
    });
});

describe("a claim", () => {
    it("needs a test that exists, with its title", () => {
        const file = "test/unit/docs/threat-model.test.ts";
        assert.deepEqual(problemsOf(`\`${file}\`: "needs a test that exists"`), []);
        assert.deepEqual(problemsOf("read only"), []);
        assert.deepEqual(problemsOf(`\`${file}\``), [`no test: \`${file}\``]);
        assert.deepEqual(problemsOf("the same"), ["no test: the same"]);
        assert.deepEqual(problemsOf('`test/none.test.ts`: "a"'), ["no file test/none.test.ts"]);
        const untitled = ["no such", "title"].join(" ");
        assert.deepEqual(problemsOf(`\`${file}\`: "${untitled}"`), [`${file} has no test ${untitled}`]);
    });
});
