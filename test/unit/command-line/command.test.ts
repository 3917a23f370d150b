import assert from "node:assert/strict";
import { command, commandGroup, type Program } from "../../../command-line/command";
import {
    choice,
    flag,
    matching,
    required,
    UsageError,
    under,
    value,
    values,
    wholeNumber,
} from "../../../command-line/parse";

const options = {
    name: value("NAME", "a name", matching("a lower-case name", /^[a-z]+$/), { short: "n" }),
    size: value("N", "how many", wholeNumber(1, 9), { default: 3 }),
    color: choice("COLOR", "what it looks like", ["red", "blue"], { otherwise: "none" }),
    dryRun: flag("do nothing", { excludes: ["force"] }),
    force: flag("do it anyway", { needs: "--color red" }),
    cache: flag("forget everything", { default: true }),
    ...under("Files:", { into: value("FILE", "where to write"), also: values("FILE", "more of them") }),
};

async function captured(run: () => Promise<number>): Promise<{ exitCode: number; output: string }> {
    const { write } = process.stdout;
    let output = "";
    process.stdout.write = (text) => {
        output += text;
        return true;
    };
    try {
        return { exitCode: await run(), output };
    } finally {
        process.stdout.write = write;
    }
}

describe("a command", () => {
    const notes = "Paints what it\nfinds.\n\nExamples:\n  paint -n wall";
    const paint = command({ name: "paint", about: "Paints.", options, notes }, () => 7);

    it("has a value for each option, by its name", () => {
        assert.deepEqual(paint.parse([]).options, {
            name: undefined,
            size: 3,
            color: undefined,
            dryRun: false,
            force: false,
            cache: true,
            into: undefined,
            also: [],
        });
        const args = ["-n", "wall", "--size=5", "--dry-run", "--no-cache", "--also", "a", "--also", "-"];
        const { name, size, dryRun, cache, also } = paint.parse(args).options;
        assert.deepEqual([name, size, dryRun, cache, also], ["wall", 5, true, false, ["a", "-"]]);
    });

    const wrong: [string, string][] = [
        ["--nmae a", "unknown option --nmae (did you mean --name?); see paint --help"],
        ["--zzz", "unknown option --zzz; see paint --help"],
        ["--name", "missing value of --name, -n NAME; see paint --help"],
        ["extra", "unexpected argument extra; see paint --help"],
        ["--name WALL", "--name must be a lower-case name (got WALL)"],
        ["--name=", '--name must be a lower-case name (got "")'],
        ["--size 10", "--size must be a whole number from 1 to 9 (got 10)"],
        ["--color green", "--color must be red or blue (got green)"],
        ["--color https://me:secret@red.example", "--color must be red or blue (got https://...@red.example)"],
        ["--into --dry-run", "--into must be a file (got --dry-run)"],
        ["--color blue --force", "--force requires --color red"],
        ["--dry-run --color red --force", "--dry-run and --force are mutually exclusive"],
    ];
    for (const [args, message] of wrong) {
        it(`rejects ${args} in one line`, () => {
            assert.throws(() => paint.parse(args.split(" ")), new UsageError(message));
        });
    }

    it("requires what it cannot do without", () => {
        const dig = command(
            { name: "dig", about: "Digs.", options: { at: required(value("PLACE", "where")) } },
            () => 0,
        );
        assert.throws(() => dig.parse([]), { message: "--at must be a place (got nothing)", exitCode: 2 });
        assert.match(dig.help, /--at PLACE +where \(required\)$/m);
    });

    it("leaves everything after -- as it is", () => {
        const text = { name: "exec", about: "Runs.", options, words: ["COMMAND", "what to run"] } as const;
        const { words } = command(text, () => 0).parse(["-n", "a", "--", "ls", "--help"]);
        assert.deepEqual(words, ["ls", "--help"]);
    });

    it("resolves to the exit code, or prints the help without running", async () => {
        assert.equal(await paint.run([]), 7);
        for (const args of [["--help"], ["-h"], ["--name", "a", "--help"]]) {
            const { exitCode, output } = await captured(() => paint.run(args));
            assert.equal(exitCode, 0);
            assert.match(output, /^Usage: paint \[options\]\n/);
        }
    });

    it("derives the help from the options", () => {
        assert.equal(
            paint.help,
            `Usage: paint [options]

Paints.

Options:
  --name, -n NAME  a name
  --size N         how many (default: 3)
  --color COLOR    what it looks like: red or blue (default: none)
  --dry-run        do nothing
  --force          do it anyway
  --no-cache       forget everything
  --help, -h       show this help

Files:
  --into FILE      where to write
  --also FILE      more of them; repeatable

Paints what it finds.

Examples:
  paint -n wall
`,
        );
    });
});

describe("a group of commands", () => {
    const ran: string[] = [];
    const load = (name: string, about: string): Program<object> =>
        command({ name, about, options: {}, words: ["WORD", ""] }, (_, words) => {
            ran.push([name, ...words].join(" "));
            return 3;
        });
    const group = commandGroup({
        name: "tool",
        about: "Does things.",
        commands: { "wall paint": { summary: "paint a wall", load }, list: { summary: "list walls", load } },
    });

    it("runs the command that its first words name", async () => {
        assert.equal(await group.run(["wall", "paint", "red"]), 3);
        assert.equal(await group.run(["list"]), 3);
        assert.deepEqual(ran.splice(0), ["tool wall paint red", "tool list"]);
    });

    it("lists its commands on request, and without a command", async () => {
        for (const [args, code] of [
            [["--help"], 0],
            [["-h"], 0],
            [["help"], 0],
            [[], 2],
        ] as const) {
            const { exitCode, output } = await captured(() => group.run(args));
            assert.equal(exitCode, code);
            assert.match(output, /\n {2}wall paint {2}paint a wall\n {2}list {8}list walls\n/);
        }
    });

    it("has help for each command, in both ways to ask", async () => {
        for (const args of [
            ["wall", "paint", "--help"],
            ["help", "wall", "paint"],
        ]) {
            const { output } = await captured(() => group.run(args));
            assert.match(output, /^Usage: tool wall paint \[options\]\n\nPaint a wall\.\n/);
        }
        assert.deepEqual(ran, []);
    });

    it("suggests the most similar command", async () => {
        for (const [args, message] of [
            [["lst", "--all"], "unknown command lst (did you mean list?); commands: wall paint, list; see tool --help"],
            [["zzz"], "unknown command zzz; commands: wall paint, list; see tool --help"],
            [["--what"], "unknown option --what; commands: wall paint, list; see tool --help"],
        ] as const) {
            await assert.rejects(group.run(args), { message, exitCode: 2 });
        }
    });
});
