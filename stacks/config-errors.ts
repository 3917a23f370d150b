import type { z } from "zod";
import { type KeySchema, knownKeys, nearest } from "./known-keys";

type Issue = z.core.$ZodIssue;

/**
 * What is wrong with the stack's configuration: `<key> must be <legal>, got <value>`, a line each.
 *
 * @param isSecret - whether nobody may see what a key at the top holds
 */
export function configErrors(
    issues: readonly Issue[],
    value: unknown,
    schema: KeySchema,
    isSecret: (key: string) => boolean = () => false,
): string[] {
    return issues.flatMap((issue) => {
        const key = keyName(issue.path);
        if (issue.code === "unrecognized_keys") {
            const known = knownKeys(schema, issue.path);
            return issue.keys.map((unknown) => {
                return `${join(key, unknown)} must be a known key${hintFor(unknown, known)}, got ${unknown}`;
            });
        }
        const given = JSON.stringify(valueAt(value, issue.path));
        const shown = given !== undefined && isSecret(String(issue.path[0])) ? "[secret]" : given;
        return [`${key} must be ${legal(issue)}, got ${shown ?? "nothing"}`];
    });
}

const mostListed = 8;

/** What may have been meant, or what there is. */
function hintFor(unknown: string, known: readonly string[]): string {
    const like = nearest(unknown, known);
    if (like) return ` (did you mean ${like}?)`;
    return known.length <= mostListed ? ` (one of ${known.join(", ")})` : " (docs/reference.md has all)";
}

function legal(issue: Issue): string {
    switch (issue.code) {
        case "invalid_type":
            return issue.expected === "int" ? "a whole number" : `of type ${issue.expected}`;
        case "invalid_union":
            return [...new Set(issue.errors.flat().map(legal))].join(" or ");
        default:
            return issue.message;
    }
}

function keyName(path: readonly PropertyKey[]): string {
    return path.reduce<string>(
        (name, part) => (typeof part === "number" ? `${name}[${part}]` : join(name, String(part))),
        "tradewind:",
    );
}

function join(name: string, part: string): string {
    return name.endsWith(":") ? `${name}${part}` : `${name}.${part}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
    return path.reduce<unknown>((item, part) => (item as Record<PropertyKey, unknown> | undefined)?.[part], value);
}
