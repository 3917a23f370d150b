import { shownValue } from "../clients/shown-value";

/** A usage error: shown without a stack trace, exit code 2. */
export class UsageError extends Error {
    readonly exitCode = 2;
}

/** The standard error for invalid values: `<option> must be <legal> (got <value>)`. */
export function invalidOption(option: string, legal: string, value: unknown): UsageError {
    return new UsageError(`${option} must be ${legal} (got ${shownValue(`${value}`) || '""'})`);
}

/** What is legal for a value, in words, and how it is read: undefined if it is not legal. */
export interface Check<T> {
    readonly legal: string;
    readonly read: (text: string) => T | undefined;
}

export function matching(legal: string, pattern: RegExp): Check<string> {
    return { legal, read: (text) => (pattern.test(text) ? text : undefined) };
}

export function wholeNumber(from: number, to: number, legal = `a whole number from ${from} to ${to}`): Check<number> {
    const isLegal = (text: string) => /^\d+$/.test(text) && Number(text) >= from && Number(text) <= to;
    return { legal, read: (text) => (isLegal(text) ? Number(text) : undefined) };
}

export function oneOf<const T extends string | number>(values: readonly T[]): Check<T> {
    const others = values.slice(0, -1).join(", ");
    const legal = others ? `${others} or ${values.at(-1)}` : `${values[0]}`;
    return { legal, read: (text) => values.find((each) => String(each) === text) };
}

/** An option of a command. Its name in a record of options is its name on the command line: `dryRun` is `--dry-run`. */
export interface Option<T> extends Extras<T> {
    readonly about: string;
    /** Name of its value in the help. @default - it has none */
    readonly value?: string;
    readonly check?: Check<unknown>;
    readonly isRepeatable?: boolean;
    readonly isRequired?: boolean;
}

interface Extras<T> {
    /** A letter: `o` for `-o`. */
    readonly short?: string;
    readonly default?: T;
    /** The default in words, if it is no value. */
    readonly otherwise?: string;
    /** An option that it needs, perhaps with a value: `--from snapshot`. */
    readonly needs?: string;
    /** Names of options that cannot be given together with it. */
    readonly excludes?: readonly string[];
    /** Its group in the help. */
    readonly heading?: string;
}

export function flag(about: string, extras: Extras<boolean> = {}): Option<boolean> {
    return { about, default: false, ...extras };
}

export function value(
    name: string,
    about: string,
    check?: undefined,
    extras?: Extras<string>,
): Option<string | undefined>;
export function value<T>(name: string, about: string, check: Check<T>, extras: Extras<T> & { default: T }): Option<T>;
export function value<T>(name: string, about: string, check: Check<T>, extras?: Extras<T>): Option<T | undefined>;
export function value(name: string, about: string, check?: Check<unknown>, extras?: Extras<unknown>): Option<unknown> {
    return { about, value: name, check, ...extras };
}

/** An option with one of a few values. */
export function choice<const T extends string | number>(
    name: string,
    about: string,
    values: readonly T[],
    extras: Extras<T> & { default: T },
): Option<T>;
export function choice<const T extends string | number>(
    name: string,
    about: string,
    values: readonly T[],
    extras?: Extras<T>,
): Option<T | undefined>;
export function choice(name: string, about: string, values: readonly (string | number)[], extras?: Extras<unknown>) {
    const check = oneOf(values);
    return value(name, about ? `${about}: ${check.legal}` : check.legal, check, extras);
}

/** An option that can be given several times. */
export function values<T = string>(
    name: string,
    about: string,
    check?: Check<T>,
    extras?: Extras<readonly T[]>,
): Option<readonly T[]> {
    return { about: `${about}; repeatable`, value: name, check, isRepeatable: true, default: [], ...extras };
}

export function required<T>(option: Option<T | undefined>): Option<T> {
    return { ...option, isRequired: true } as Option<T>;
}

/** Shows options under a heading of their own in the help. */
export function under<O extends Options>(heading: string, options: O): O {
    const entries = Object.entries(options).map(([name, option]) => [name, { ...option, heading }]);
    return Object.fromEntries(entries);
}

export type Options = Readonly<Record<string, Option<unknown>>>;

/** The values of options, by name. */
export type Values<O> = { readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never };

/** `--output` of commands whose text is also available for programs. @param more - what else to know */
export function outputFormat(more = ""): Option<"text" | "json"> {
    const check = oneOf(["text", "json"]);
    return value("FORMAT", `${check.legal}${more}`, check, { short: "o", default: "text" });
}
