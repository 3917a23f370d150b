import { readFileSync } from "node:fs";
import { join } from "node:path";
import { COMMANDS } from "../../../cli/tradewind";
import { root, textOf } from "./pages";

/** Keys of the configuration by their types, as the reference made from the schemas has them. */
const keys = new Map(
    [...textOf("docs/reference.md").matchAll(/^\| `([\w.[\]<>*-]+)` *\| ([^|]+?) *\|/gm)].map(([, key, type]) => [
        key!,
        type!,
    ]),
);

/** What is wrong with the arguments of `tradewind`, if anything. */
export function wrongCommand(args: string): string | undefined {
    const [name = "", ...rest] = args.trim().split(/\s+/);
    if (["", "--help", "COMMAND"].includes(name)) return undefined;
    if (!Object.hasOwn(COMMANDS, name)) return `no command ${name}`;
    const known = new Set(COMMANDS[name]!.load().help.match(/(?<![\w-])--?[a-z][\w-]*/gi));
    const wrong = rest.map((word) => /^--?[a-z][\w-]*/i.exec(word)?.[0]).find((option) => option && !known.has(option));
    return wrong && `no option ${wrong} of ${name}`;
}

/** What is wrong with the arguments of `pulumi config set`, if anything. */
export function wrongSetting(args: string): string | undefined {
    const key = args
        .split(/\s+/)
        .find((word) => !word.startsWith("-"))
        ?.replace(/['"]/g, "");
    // The flags alone were talked about.
    if (key === undefined || key === "") return undefined;
    const [, space = "tradewind", path = ""] = /^(?:([\w-]+):)?(.*)$/.exec(key)!;
    if (space === "tradewind") return isKnown(path) ? undefined : `no key ${path}`;
    const variables = readFileSync(join(root, "node_modules/@pulumi", space, "config/vars.d.ts"), "utf8");
    return new RegExp(`\\bconst ${path}:`).test(variables) ? undefined : `no key ${path} of ${space}`;
}

/** Names in a map are anybody's. */
function isKnown(path: string): boolean {
    const key = path.replace(/\[\d+\]/g, "[]");
    const above = key.replace(/(\.[^.]+|\[\])$/, "");
    return keys.has(key) || (above !== key && (isMap(above) || isMapAbove(above)));
}

function isMap(key: string): boolean {
    return /^map\b/.test(keys.get(key) ?? "");
}

function isMapAbove(key: string): boolean {
    const above = key.replace(/\.[^.]+$/, "");
    return above !== key && (isMap(above) || isMapAbove(above));
}
