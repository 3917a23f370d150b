import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import { newNameOf } from "../cluster/renamed-options";

type Issue = z.core.$ZodIssue;

/**
 * Errors in the stack's configuration, one line each: `<key> must be <legal>, got <value>`.
 *
 * @param isSecret - whether the value of a top-level key must not be shown
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
                const now = newNameOf(unknown);
                if (now !== undefined) return `${join(key, unknown)} is now ${join(key, now)}`;
                return `${join(key, unknown)} must be a known key${hintFor(unknown, known)}, got ${unknown}`;
            });
        }
        const given = JSON.stringify(valueAt(value, issue.path));
        const shown = given !== undefined && isSecret(String(issue.path[0])) ? "[secret]" : given;
        return [`${key} must be ${legal(issue)}, got ${shown ?? "nothing"}`];
    });
}

const mostListed = 8;

/** A suggestion for an unknown key: the nearest known key, or all of them. */
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

/** The part of a JSON schema that lists the keys of objects. */
export interface KeySchema {
    readonly properties?: Readonly<Record<string, KeySchema>>;
    readonly anyOf?: readonly KeySchema[];
    readonly items?: KeySchema;
}

/** The keys that a schema allows at a path. */
export function knownKeys(schema: KeySchema, path: readonly PropertyKey[]): string[] {
    const [part, ...rest] = path;
    const own = () => {
        if (part === undefined) return Object.keys(schema.properties ?? {});
        const next = typeof part === "number" ? schema.items : schema.properties?.[String(part)];
        return next ? knownKeys(next, rest) : [];
    };
    return [...own(), ...(schema.anyOf ?? []).flatMap((each) => knownKeys(each, path))];
}

/** The known key most similar to the given one, if any is similar enough. */
export function nearest(key: string, known: readonly string[]): string | undefined {
    const most = Math.ceil(key.length / 3);
    const [best] = known
        .map((name) => ({ name, distance: distance(key.toLowerCase(), name.toLowerCase()) }))
        .filter((each) => each.distance <= most)
        .sort((a, b) => a.distance - b.distance);
    return best?.name;
}

/** Number of letters to insert, remove or replace (Levenshtein distance). */
function distance(a: string, b: string): number {
    let row = Array.from({ length: b.length + 1 }, (_, index) => index);
    for (let i = 1; i <= a.length; i++) {
        const next = [i];
        for (let j = 1; j <= b.length; j++) {
            next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
        }
        row = next;
    }
    return row[b.length]!;
}

/** Turns a validation error into one without a stack trace, because the fault is in the user's configuration. */
export function userErrors<T>(program: () => T): T {
    try {
        return program();
    } catch (error) {
        throw new pulumi.RunError((error as Error).message);
    }
}
