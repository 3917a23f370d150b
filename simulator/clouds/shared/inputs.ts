import { compare, containsUnknown, type Diff, type Failure, type Properties } from "../../plugins/protocol/serve";
import { isDeletedFirst, type Ownership, replaces } from "./ownership";

/** A rule for an input. */
export interface Rule {
    readonly legal: string;
    readonly isLegal: (value: never) => boolean;
    readonly isRequired?: boolean;
}

export const required = { isRequired: true };

/** The simulated inputs of a type. */
export type Inputs = Readonly<Record<string, Rule>>;

/** Everything that the service or the simulator rejects. Values that are unknown in preview are checked in `up`. */
export function checkInputs(inputs: Properties, rules: Inputs): Failure[] {
    const given = Object.entries(inputs).filter(([, value]) => value !== undefined && value !== null);
    const names = given.map(([name]) => name);
    const missing = Object.entries(rules)
        .filter(([name, { isRequired }]) => isRequired && !names.includes(name))
        .map(([property, { legal }]) => ({ property, reason: `${property} must be ${legal} (got nothing)` }));
    const wrong = given.flatMap(([property, value]): Failure[] => {
        const rule = rules[property];
        if (!rule) return [{ property, reason: `${property} is not simulated` }];
        if (containsUnknown(value) || rule.isLegal(value as never)) return [];
        return [{ property, reason: `${property} must be ${rule.legal} (got ${shown(value)})` }];
    });
    return [...missing, ...wrong];
}

/** What differs, and whether that replaces the resource. */
export function diffInputs(before: Properties, after: Properties, ownership: Ownership): Diff {
    const diff = compare(before, after, (path) => replaces(path, before, after, ownership));
    const isReplaced = Object.values(diff.changes).some(({ replace }) => replace);
    return isReplaced && isDeletedFirst(before, after, ownership) ? { ...diff, deleteBeforeReplace: true } : diff;
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
