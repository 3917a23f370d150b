import { Command, CommanderError, Option as Flag, Help } from "commander";
import { invalidOption, matching, type Option, type Options, UsageError, type Values } from "./parse";

interface Text {
    /** As typed: `tradewind status`. */
    readonly name: string;
    readonly about: string;
    /** @default "[options]" */
    readonly usage?: string;
    /** Shown at the end of the help. */
    readonly notes?: string;
}

/** What a command line runs. */
export interface Runnable {
    readonly help: string;
    /** Prints the help if asked, otherwise runs it and resolves to the exit code. */
    run(args: readonly string[]): Promise<number>;
}

/** A command with options. */
export interface Program<O> extends Runnable {
    /** Parses and checks a command line. */
    parse(args: readonly string[]): { readonly options: Values<O>; readonly words: readonly string[] };
}

/** A command whose parsing, checks and help derive from its options. */
export function command<const O extends Options>(
    text: Text & {
        readonly options: O;
        /** Name and meaning of arguments that are no options. @default - there are none */
        readonly words?: readonly [name: string, about: string];
    },
    act: (options: Values<O>, words: readonly string[]) => number | Promise<number>,
): Program<O> {
    const [name, about] = text.words ?? ["words"];
    const parserOf = (width?: number) => {
        const parser = parserFor(text, width).argument(`[${name}...]`, about);
        for (const [key, option] of Object.entries(text.options)) parser.addOption(flagOf(key, option));
        return parser;
    };
    const parse = (args: readonly string[]) => {
        const parser = parserOf();
        parseWith(parser, args);
        const [word] = parser.args;
        if (word !== undefined && text.words === undefined) {
            throw new UsageError(`unexpected argument ${word}; see ${text.name} --help`);
        }
        const given = Object.fromEntries(
            Object.keys(text.options)
                .filter((key) => parser.getOptionValueSource(key) === "cli")
                .map((key) => [key, parser.opts()[key]]),
        );
        checkTogether(text.options, given);
        const all = Object.entries(text.options).map(([key, option]) => [key, given[key] ?? option.default]);
        return { options: Object.fromEntries(all), words: parser.args };
    };
    return {
        get help() {
            return helpOf(parserOf(HELP_WIDTH));
        },
        parse,
        run: (args) =>
            unlessHelp(() => {
                const { options, words } = parse(args);
                return act(options, words);
            }),
    };
}

/** Commands by their names of one or two words. */
export type Commands = Readonly<
    Record<
        string,
        {
            /** Shown in the list of commands. */
            readonly summary: string;
            /** Loads the command on demand, to keep startup fast. @param name - as typed */
            readonly load: (name: string, about: string) => Runnable;
        }
    >
>;

/** A command that consists of others. */
export function commandGroup({ commands, ...text }: Text & { readonly commands: Commands }): Runnable {
    const { name } = text;
    const parserOf = (width?: number) => {
        const parser = parserFor({ usage: "COMMAND [options]", ...text }, width).helpCommand(false);
        for (const [each, { summary }] of Object.entries(commands)) {
            parser.addCommand(new Command(each).summary(summary));
        }
        return parser;
    };
    const run = async (args: readonly string[]): Promise<number> => {
        if (args[0] === "help" && args.length > 1) return run([...args.slice(1), "--help"]);
        if (args.length === 0 || args[0] === "help") {
            process.stdout.write(helpOf(parserOf()));
            return args.length === 0 ? 2 : 0;
        }
        const found = [args.slice(0, 2).join(" "), args[0]!].find((each) => Object.hasOwn(commands, each));
        if (found !== undefined) {
            const { summary, load } = commands[found]!;
            const about = `${summary[0]!.toUpperCase()}${summary.slice(1)}.`;
            return load(`${name} ${found}`, about).run(args.slice(found.split(" ").length));
        }
        return unlessHelp(() => {
            // Only called for its help and for its error, which suggests the most similar name.
            const end = args.findIndex((arg) => arg.startsWith("-"));
            const words = (end < 0 ? args : args.slice(0, end)).slice(0, 2).join(" ");
            parseWith(parserOf(), words ? [words] : args, `; commands: ${Object.keys(commands).join(", ")}`);
            throw new UsageError(`missing command; see ${name} --help`);
        });
    };
    return {
        get help() {
            return helpOf(parserOf(HELP_WIDTH));
        },
        run,
    };
}

/** Columns, where the output is no terminal. */
const HELP_WIDTH = 100;

function parserFor({ name, about, usage = "[options]", notes }: Text, width = terminalWidth()): Command {
    const parser = new Command(name)
        .description(about)
        .usage(usage)
        .helpOption("--help, -h", "show this help")
        .configureHelp({ helpWidth: width, optionTerm: ({ flags }) => flags.replace(/[<>]/g, "") })
        .configureOutput({ writeErr: () => undefined })
        .exitOverride();
    if (notes === undefined) return parser;
    // Indented lines are tables and examples. The others are paragraphs, wrapped in the sources, too.
    const paragraphs = notes.replaceAll(/^(\S.*)\n(?=\S)/gm, "$1 ");
    const wrapped = paragraphs.split("\n").map((line) => (/^ /.test(line) ? line : new Help().boxWrap(line, width)));
    return parser.addHelpText("after", `\n${wrapped.join("\n")}`);
}

function terminalWidth(): number {
    return Math.min(Math.max(process.stdout.columns ?? HELP_WIDTH, 80), 120);
}

function helpOf(parser: Command): string {
    let text = "";
    parser.configureOutput({
        writeOut: (part) => {
            text += part;
        },
    });
    parser.outputHelp();
    return text;
}

/** The name on the command line: `dryRun` is `--dry-run`. An option that is on by default turns it off. */
function flagName(key: string, option?: Option<unknown>): string {
    const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return option?.default === true ? `--no-${name}` : `--${name}`;
}

function flagOf(key: string, option: Option<unknown>): Flag {
    const { about, value, short, check, isRepeatable, isRequired, heading } = option;
    const name = flagName(key, option);
    const flags = `${name}${short ? `, -${short}` : ""}${value ? ` <${value}>` : ""}`;
    const otherwise = option.otherwise ?? (value && !isRepeatable ? option.default : undefined);
    const note = isRequired ? " (required)" : otherwise === undefined ? "" : ` (default: ${otherwise})`;
    const flag = new Flag(flags, `${about}${note}`.trim());
    if (heading) flag.helpGroup(heading);
    if (value === undefined) return flag;
    const { legal, read } = check ?? matching(`a ${value.toLowerCase()}`, /^(-$|[^-])/);
    return flag.argParser<unknown>((text, before) => {
        const found = read(text);
        if (found === undefined) throw invalidOption(name, legal, text);
        return isRepeatable ? [...((before as unknown[] | undefined) ?? []), found] : found;
    });
}

function parseWith(parser: Command, args: readonly string[], legal = ""): void {
    try {
        parser.parse([...args], { from: "user" });
    } catch (error) {
        if (!(error instanceof CommanderError) || error.exitCode === 0) throw error;
        const message = error.message
            .replace(/^error: /, "")
            .replace(/^option (.*) argument missing$/, "missing value of $1")
            .replace(/\n\(Did/, " (did")
            .replace(/['<>]/g, "");
        throw new UsageError(`${message}${legal}; see ${parser.name()} --help`);
    }
}

/** Checks what options require of each other. */
function checkTogether(options: Options, given: Readonly<Record<string, unknown>>): void {
    for (const [key, option] of Object.entries(options)) {
        const { isRequired, value, check, needs, excludes = [] } = option;
        const name = flagName(key, option);
        if (!(key in given)) {
            if (isRequired) throw invalidOption(name, check?.legal ?? `a ${value?.toLowerCase()}`, "nothing");
            continue;
        }
        const [needed, neededValue] = needs?.split(" ") ?? [];
        const isMet = (other: string) =>
            flagName(other) === needed && (neededValue === undefined || given[other] === neededValue);
        if (needed !== undefined && !Object.keys(given).some(isMet)) {
            throw new UsageError(`${name} requires ${needs}`);
        }
        const other = Object.keys(given).find((each) => excludes.includes(each));
        if (other !== undefined) throw new UsageError(`${name} and ${flagName(other)} are mutually exclusive`);
    }
}

/** Runs a command, unless the parser has printed its help instead. */
async function unlessHelp(act: () => number | Promise<number>): Promise<number> {
    try {
        return await act();
    } catch (error) {
        if (error instanceof CommanderError && error.exitCode === 0) return 0;
        throw error;
    }
}
