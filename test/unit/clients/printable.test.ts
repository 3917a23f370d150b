import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { comment } from "../../../cli/preview/render/comment";
import { known } from "../../../cli/status/facts";
import { judge } from "../../../cli/status/judge";
import { colour, noColour } from "../../../cli/status/render/table";
import { renderJson, renderText } from "../../../cli/status/render/text";
import { redrawn } from "../../../cli/status/watch";
import { apiError, describeError } from "../../../clients/kubernetes/api-error";
import { printable, printableLine, withPrintableOutput, withText, writeStyled } from "../../../clients/printable";
import { healthy, node, pod } from "../cli/status/sample";

/** Clears the screen, sets the title, colors, hides and reverses text, moves the cursor, and begins lines. */
const hostile = "\x1b[2J\x1b[H\x1b]0;title\x07\x1b[32m\x9b2Jx\r\x08\u202ey\u2066\u2028\x00\nc is healthy";

/** What a terminal acts on, except line feeds, tabs and the colors of `tradewind status`. */
const commands = new RegExp(
    [
        "(?!\u001b\\[(0|1|2|31|32|33)m)",
        "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]",
    ].join(""),
);

const facts = healthy({
    nodes: known([node("c-0"), node("w-0", { isReady: false, problem: `it says ${hostile}`, kubelet: hostile })]),
    pods: known([pod("kube-apiserver", "c-0", { state: "not-ready", problem: hostile, version: hostile })]),
});

/** What a function prints, as a process would receive it. */
async function printedBy(run: () => Promise<unknown>): Promise<string> {
    let printed = "";
    const { stdout, stderr } = process;
    const writes = [stdout.write, stderr.write] as const;
    stdout.write = stderr.write = ((text: string) => {
        printed += text;
        return true;
    }) as typeof stdout.write;
    try {
        await run();
    } finally {
        [stdout.write, stderr.write] = writes;
    }
    return printed;
}

describe("text of a cluster", () => {
    it("is shown with escapes instead of characters that a terminal acts on", () => {
        assert.equal(
            printable("a\x1b[2J\x9b\u202e b\tä ✓ 日本\r\nc\r"),
            "a\\u001b[2J\\u009b\\u202e b\tä ✓ 日本\nc\\u000d",
        );
        assert.equal(printable("\u{e0041}"), "\\udb40\\udc41");
        assert.equal(printableLine("a\n  b\tc"), "a; b c");
        assert.doesNotMatch(printable(hostile), commands);
    });

    for (const [title, paint] of [
        ["without colors", noColour],
        ["in colors", colour],
    ] as const) {
        it(`neither commands a terminal nor begins a line in status, ${title}`, () => {
            const text = renderText(facts, judge(facts), paint);
            assert.match(text, /\\u001b\[2J/);
            assert.doesNotMatch(text, commands);
            assert.doesNotMatch(text, /^c is healthy/m);
            // Each color of ours is reset by ours.
            const count = (codes: string) => [...text.matchAll(new RegExp(`\u001b\\[(${codes})m`, "g"))].length;
            assert.equal(count("1|2|31|32|33"), count("0"));
            const watched = redrawn(text, false, { rows: 99 });
            const moves = new RegExp(["^\u001b\\[H", "\u001b\\[K\n", "\u001b\\[J$"].join("|"), "g");
            assert.doesNotMatch(watched.replaceAll(moves, "\n"), commands);
        });
    }

    it("is hostile wherever it can be in status", () => {
        const all = withText(facts, (text) => (/^\d{4}-\d\d-\d\dT/.test(text) ? text : `${text}${hostile}`));
        assert.doesNotMatch(renderText(all, judge(all), noColour), commands);
    });

    it("has the same meaning in JSON", async () => {
        const json = renderJson(facts, judge(facts));
        const printed = await printedBy(() => withPrintableOutput(async () => process.stdout.write(json)));
        assert.doesNotMatch(printed, commands);
        assert.deepEqual(JSON.parse(printed), JSON.parse(json));
    });

    it("is harmless in a preview comment", () => {
        const text = comment([{ stack: "prod", failure: hostile }], { project: "p", limit: 65_536, rest: "there" });
        assert.match(text, /\\u001b\[2J/);
        assert.doesNotMatch(text, commands);
    });

    it("is harmless in errors of the API", () => {
        const status = { message: hostile, details: { causes: [{ message: hostile }] } };
        const error = apiError(409, JSON.stringify(status));
        for (const text of [error.message, ...error.causes, describeError(new Error(hostile))]) {
            assert.match(text, /\\u001b/);
            assert.doesNotMatch(text, commands);
        }
    });

    it("is harmless in all output of a command, and in the error that ends it", async () => {
        let ending = new Error();
        const printed = await printedBy(async () => {
            const run = withPrintableOutput(async () => {
                console.log(hostile);
                console.error(hostile);
                process.stdout.write(hostile);
                writeStyled(process.stdout, "\x1b[31mred\x1b[0m");
                throw new Error(hostile);
            });
            await run.catch((error) => {
                ending = error;
            });
        });
        assert.equal(printed.split("\\u001b[2J").length, 4);
        assert.ok(printed.endsWith("\x1b[31mred\x1b[0m"));
        assert.doesNotMatch(printed, commands);
        assert.match(ending.message, /\\u001b/);
        assert.doesNotMatch(ending.message, commands);
    });
});

describe("output", () => {
    const root = resolve(__dirname, "../../..");
    const sources = (folder: string) =>
        readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
            .filter((path) => path.endsWith(".ts"))
            .map((path) => ({ path: join(folder, path), text: readFileSync(join(root, folder, path), "utf8") }));

    it("of commands is replaced where they start", () => {
        for (const file of ["cli/tradewind.ts", "local/start.ts"]) {
            assert.match(readFileSync(join(root, file), "utf8"), /withPrintableOutput\(\(\) => /, file);
        }
    });

    it("of components reaches the engine by components/pulumi/log.ts only", () => {
        const others = sources("components").filter(({ text }) =>
            /pulumi\.log\.|console\.(log|info|warn|error)\(/.test(text),
        );
        assert.deepEqual(
            others.map(({ path }) => path),
            ["components/pulumi/log.ts"],
        );
    });

    it("is styled by tradewind status only", () => {
        const styled = ["cli", "local"].flatMap(sources).filter(({ text }) => /writeStyled\(/.test(text));
        assert.deepEqual(
            styled.map(({ path }) => path),
            ["cli/status/command.ts"],
        );
    });
});
