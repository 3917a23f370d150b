import { topLevel } from "../../plugins/protocol/diff";
import { compare, containsUnknown, type Diff, type Failure, type Properties } from "../../plugins/protocol/serve";

/** A rule for an input. */
export interface Rule {
    readonly legal: string;
    readonly isLegal: (value: never) => boolean;
    readonly isRequired?: boolean;
    /** A change replaces the resource. */
    readonly isFixed?: boolean;
    /** Paths of an object's properties whose change replaces the resource: `rootBlockDevice.kmsKeyId`. @default [] */
    readonly fixedPaths?: readonly string[];
}

/** Rules of an input that cannot be changed, and must be given. */
export const fixed = { isRequired: true, isFixed: true };
export const required = { isRequired: true };

/** The simulated inputs of a type. */
export type Inputs = Readonly<Record<string, Rule>>;

/** Everything that the service or the simulator rejects. Values that are unknown in preview are checked in `up`. */
export function checkInputs(inputs: Properties, rules: Inputs): Failure[] {
    const given = Object.entries(inputs).filter(([, value]) => value !== undefined && value !== null);
    const names = given.map(([name]) => name);
    const missing = Object.entries(rules)
        .filter(([name, { isRequired }]) => isRequired && !names.includes(name))
        .map(([property, { legal }]) => ({ property, reason: `${property} must be ${legal}, got nothing` }));
    const wrong = given.flatMap(([property, value]): Failure[] => {
        const rule = rules[property];
        if (!rule) return [{ property, reason: `${property} is not simulated` }];
        if (containsUnknown(value) || rule.isLegal(value as never)) return [];
        return [{ property, reason: `${property} must be ${rule.legal}, got ${shown(value)}` }];
    });
    return [...missing, ...wrong];
}

/** What differs, and whether that replaces the resource. */
export function diffInputs(before: Properties, after: Properties, rules: Inputs): Diff {
    return compare(before, after, (path) => {
        const { isFixed = false, fixedPaths = [] } = rules[topLevel(path)] ?? {};
        return isFixed || fixedPaths.includes(path);
    });
}

export function text(legal: string, pattern: RegExp, more: Partial<Rule> = {}): Rule {
    return { legal, isLegal: (value: unknown) => typeof value === "string" && pattern.test(value), ...more };
}

export function oneOf(legal: readonly unknown[], more: Partial<Rule> = {}): Rule {
    return { legal: `one of ${legal.join(", ")}`, isLegal: (value: unknown) => legal.includes(value), ...more };
}

export function listOf(legal: string, isLegal: (value: never) => boolean, more: Partial<Rule> = {}): Rule {
    return {
        legal: `a list of ${legal}`,
        isLegal: (value: unknown) => Array.isArray(value) && value.every((each) => isLegal(each as never)),
        ...more,
    };
}

/** No user-data in an error: it contains tokens. */
function shown(value: unknown): string {
    const json = JSON.stringify(value);
    return json.length > 100 ? `${json.length} characters` : json;
}
