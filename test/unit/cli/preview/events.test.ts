import assert from "node:assert/strict";
import { type EngineStep, ofEvents, previewOf, readEvents } from "../../../../cli/preview/events";

const urn = (name: string) => `urn:pulumi:prod::shop::tradewind:index:AwsCluster$aws:ec2/instance:Instance::${name}`;
const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", plaintext: '"password"' };
const step = (op: string, more: object = {}): EngineStep => ({ op, urn: urn("a"), ...more });
const told = (...steps: EngineStep[]) => ({ steps, diagnostics: [], isComplete: true });

describe("Pulumi's steps", () => {
    it("contain project, stack, type and name", () => {
        const { project, stack, steps } = previewOf(told(step("create", { new: { inputs: {} } })));
        assert.deepEqual([project, stack], ["shop", "prod"]);
        assert.deepEqual([steps[0]?.type, steps[0]?.name], ["aws:ec2/instance:Instance", "a"]);
    });

    it("are merged for a replaced resource, with the order of deletion", () => {
        const states = { old: { inputs: { a: 1 } }, new: { inputs: { a: 2 } } };
        const diff = { detailedDiff: { a: { diffKind: "update-replace" }, b: { diffKind: "update" } } };
        const [gone, replace, made] = [
            step("delete-replaced", { old: states.old }),
            step("replace", { ...states, ...diff }),
            step("create-replacement", { ...states, ...diff }),
        ];
        for (const [steps, isDeletedFirst] of [
            [[gone, replace, made], true],
            [[made, replace, gone], false],
        ] as const) {
            const preview = previewOf(told(...steps));
            assert.equal(preview.steps.length, 1);
            const { operation, old, new: coming, replaces, ...rest } = preview.steps[0]!;
            assert.deepEqual(
                { operation, old, coming, replaces, isDeletedFirst: rest.isDeletedFirst },
                { operation: "replace", old: { a: 1 }, coming: { a: 2 }, replaces: ["a"], isDeletedFirst },
            );
        }
    });

    it("lose every secret, encrypted or not, and mark unknown values", () => {
        const inputs = { password: secret, list: [{ secret }], later: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" };
        const [read] = previewOf(told(step("create", { new: { inputs } }))).steps;
        assert.deepEqual(read?.new, {
            password: "[secret]",
            list: [{ secret: "[secret]" }],
            later: "[known after up]",
        });
    });

    it("contain lasting diagnostics, without colors", () => {
        const diagnostics = [
            { severity: "warning", message: "<{%reset%}>certificates expire soon:\n<{%reset%}>", urn: urn("c") },
            { severity: "info", message: "for a moment", ephemeral: true },
            { severity: "debug", message: "noise" },
            { severity: "error", message: "no" },
        ];
        assert.deepEqual(previewOf({ steps: [], diagnostics, isComplete: false }, "x").diagnostics, [
            { severity: "warning", message: "certificates expire soon:", resource: "c" },
            { severity: "error", message: "no" },
        ]);
    });
});

describe("Pulumi's output", () => {
    const metadata = step("update", { old: { inputs: { a: 1 } }, new: { inputs: { a: 2 } }, diffs: ["a"] });
    const events = [{ resourcePreEvent: { metadata } }, { summaryEvent: { resourceChanges: { update: 1 } } }];

    it("can be lines of events or the document of --json", () => {
        const document = {
            steps: [
                { op: "update", urn: urn("a"), oldState: metadata.old, newState: metadata.new, diffReasons: ["a"] },
            ],
            changeSummary: { update: 1 },
        };
        const short = { ...document, changeSummary: { update: 1, same: 7 } };
        assert.throws(() => readEvents(JSON.stringify(short), "f"), /of a preview with --show-sames, .* \(got f\)/);
        const lines = events.map((event) => JSON.stringify(event)).join("\n");
        // As Windows PowerShell writes it.
        const read = (text: string) => previewOf(readEvents(`\uFEFF${text}`, "file"));
        assert.deepEqual(read(lines), previewOf(ofEvents(events)));
        assert.deepEqual(read(JSON.stringify(document, null, 4)), read(lines));
    });

    it("is incomplete without a summary", () => {
        assert.equal(ofEvents(events.slice(0, 1)).isComplete, false);
    });

    it("is rejected if it is something else", () => {
        for (const text of ["", "Previewing update (prod)", '{"a": 1}', "[]"]) {
            assert.throws(
                () => readEvents(text, "a.txt"),
                /--events must be the output of pulumi preview .* \(got a\.txt\)/,
            );
        }
    });
});
