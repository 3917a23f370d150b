import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import {
    absolutePath,
    byName,
    list,
    object,
    planProblems,
    port,
    readPlan,
    secondsByName,
    text,
    texts,
    timeouts,
    url,
    wholePattern,
} from "../../../../agents/harness/plan";

const problems = (schema: v.GenericSchema, value: unknown) => planProblems({ a: value }, object({ a: schema }));

describe("a plan", () => {
    let folder: string;
    const write = (text: string) => {
        const path = join(folder, "plan.json");
        writeFileSync(path, text);
        return path;
    };
    before(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-plan-"));
    });
    after(() => rmSync(folder, { recursive: true }));

    it("is read with the fields that its schema does not know", () => {
        const path = write('{"a":1,"later":{"b":2}}');
        assert.deepEqual(readPlan(path, object({ a: port, before: v.optional(port) })), { a: 1, later: { b: 2 } });
    });

    it("is rejected with its path and all of its problems", () => {
        const path = write('{"a":0,"b":[{"c":"x"},{}]}');
        assert.throws(() => readPlan(path, object({ a: port, b: list(object({ c: absolutePath })), d: text() })), {
            name: "InvalidPlan",
            message: `${path}: a must be a port (got 0); b[0].c must be an absolute path (got "x"); b[1].c must be an absolute path (got undefined); d must be a name (got undefined)`,
        });
    });

    it("is rejected if it is not JSON", () => {
        const path = write("{");
        assert.throws(() => readPlan(path, object({})), {
            name: "InvalidPlan",
            message: /plan\.json must be a JSON file: /,
        });
    });

    it("is rejected with each field of an object that is missing", () => {
        const schema = object({ a: object({ b: port, c: object({ d: text() }), e: v.optional(port) }) });
        const missing = ["a.b must be a port (got undefined)", "a.c.d must be a name (got undefined)"];
        for (const plan of [null, "x", {}, { a: null }, { a: 1 }, { a: [] }]) {
            assert.deepEqual(planProblems(plan, schema), missing);
        }
    });

    it("is rejected with the beginning of a long value alone", () => {
        const [problem = ""] = problems(text(), { pod: "x".repeat(1000) });
        assert.match(problem, /^a must be a name \(got \{"pod":"x+\)$/);
        assert.ok(problem.length < 250);
    });

    it("is checked across fields even if others are wrong", () => {
        const schema = v.pipe(
            object({ a: port, b: port, c: port }),
            v.forward(
                v.partialCheck([["a"], ["b"]], ({ a, b }) => a < b, "less than b"),
                ["a"],
            ),
        );
        const wrong = ["c must be a port (got 0)", "a must be less than b (got 2)"];
        assert.deepEqual(planProblems({ a: 2, b: 1, c: 0 }, schema), wrong);
        assert.deepEqual(planProblems({ a: 2, b: 0, c: 1 }, schema), ["b must be a port (got 0)"]);
    });

    const checks: [v.GenericSchema, legal: unknown[], illegal: unknown[]][] = [
        [text(), ["x", "\n"], ["", 1, null, undefined]],
        [texts(), [[], ["x"]], ["x", [""], [1], undefined]],
        [texts("", { least: 1 }), [["x"]], [[]]],
        [url("https"), ["https://x", "https://x:1"], ["http://x", "https://", "https://x/", "ftp://x", 1]],
        [url("http"), ["http://x"], ["https://x", "http://x/y"]],
        [absolutePath, ["/", "/x"], ["x", "", 1]],
        [port, [1, 65535], [0, 65536, 1.5, "1"]],
        [wholePattern, ["^x$"], ["x", "^x", "x$", "^($", 1]],
        [byName(port), [{}, { x: 1 }], [1, null, { x: 0 }, { prototype: 0 }]],
        [timeouts(), [undefined, { unknown: 1 }], [1, { unknown: "x" }]],
    ];
    for (const [index, [schema, legal, illegal]] of checks.entries()) {
        it(`accepts ${JSON.stringify(legal)} and rejects ${JSON.stringify(illegal)} (${index})`, () => {
            for (const value of legal) assert.deepEqual(problems(schema, value), []);
            for (const value of illegal) assert.equal(problems(schema, value).length, 1, JSON.stringify(value));
        });
    }

    it("names the keys that are valid", () => {
        const schema = secondsByName({ drain: 1, settle: 1 });
        assert.deepEqual(problems(schema, { drain: 0, dance: 1 }), [
            'a key of a must be one of drain, settle (got "dance")',
        ]);
        assert.deepEqual(problems(schema, { drain: -1 }), ["a.drain must be a number of seconds (got -1)"]);
    });
});
