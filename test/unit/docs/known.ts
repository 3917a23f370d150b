import { readFileSync } from "node:fs";
import { join } from "node:path";
import { COMMANDS as ARTIFACTS } from "../../../artifacts/cli";
import { COMMANDS } from "../../../cli/tradewind";
import { root, textOf } from "./pages";

/** Configuration keys with their types, from the generated reference. */
const keys = new Map(
    [...textOf("docs/reference.md").matchAll(/^\| `([\w.[\]<>*-]+)` *\| ([^|]+?) *\|/gm)].map(([, key, type]) => [
        key!,
        type!,
    ]),
);

/** The problem with the arguments of `tradewind`, if any. */
export function wrongCommand(args: string): string | undefined {
    const [name = "", ...rest] = args.trim().split(/\s+/);
    if (["", "--help", "COMMAND"].includes(name)) return undefined;
    if (!Object.hasOwn(COMMANDS, name)) return `no command ${name}`;
    return wrongOption(name, COMMANDS[name]!.load("", "").help, rest);
}

/** The first option among these words that a program's help does not contain, if any. */
export function wrongOption(program: string, help: string, words: readonly string[]): string | undefined {
    const known = new Set(help.match(/(?<![\w-])--?[a-z][\w-]*/gi));
    const wrong = words.map((word) => /^\[?(--?[a-z][\w-]*)/i.exec(word)?.[1]).find((each) => each && !known.has(each));
    return wrong && `no option ${wrong} of ${program}`;
}

/** The problem with the arguments of `npm run artifacts`, if any. */
export function wrongArtifacts(args: string): string | undefined {
    const [name = "", ...rest] = args.trim().split(/\s+/);
    if (name === "" || name === "--help") return undefined;
    if (!Object.hasOwn(ARTIFACTS, name)) return `no command ${name} of artifacts`;
    return wrongOption("artifacts", ARTIFACTS[name]!.load("", "").help, rest);
}

/** The problem with the arguments of `pulumi config set` and `rm`, if any. */
export function wrongSetting(args: string): string | undefined {
    const key = args
        .split(/\s+/)
        .find((word) => !word.startsWith("-"))
        ?.replace(/['"]/g, "");
    // Only flags, without a key, or a placeholder for any key.
    if (key === undefined || ["", "…", "..."].includes(key)) return undefined;
    const [, space = "tradewind", path = ""] = /^(?:([\w-]+):)?(.*)$/.exec(key)!;
    if (space === "tradewind") return isKnown(path) ? undefined : `no key ${path}`;
    const variables = readFileSync(join(root, "node_modules/@pulumi", space, "config/vars.d.ts"), "utf8");
    return new RegExp(`\\bconst ${path}:`).test(variables) ? undefined : `no key ${path} of ${space}`;
}

/** Keys of maps are arbitrary, and list items have no names. */
function isKnown(path: string): boolean {
    const key = path.replace(/\[\d+\]/g, "[]");
    const above = key.replace(/(\.[^.[\]]+|\[\])$/, "");
    if (key === `${above}[]`) return isList(above);
    return keys.has(key) || (above !== key && (isMap(above) || isMapAbove(above)));
}

function isList(key: string): boolean {
    return /\blist\b/.test(keys.get(key) ?? "");
}

function isMap(key: string): boolean {
    return /^map\b/.test(keys.get(key) ?? "");
}

function isMapAbove(key: string): boolean {
    const above = key.replace(/\.[^.]+$/, "");
    return above !== key && (isMap(above) || isMapAbove(above));
}
