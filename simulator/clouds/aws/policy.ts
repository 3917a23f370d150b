import type { Account } from "./account";

/** A statement of a role's policy, as far as it is simulated. */
export interface Statement {
    readonly Effect: string;
    readonly Action: string | readonly string[];
    readonly Resource: string | readonly string[];
    readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/** Values of a request's condition keys, those alone that it has: `aws:ResourceTag/<key>` and others. */
export type Context = Readonly<Record<string, string>>;

/**
 * Whether a role, or who has a key, may do something to a resource, named by its ARN, or by `*` if it is to nothing in
 * particular: something has to allow it, and nothing may deny it.
 */
export function mayRole(account: Account, role: string, action: string, resource: string, context: Context = {}) {
    const fitting = statementsOf(account, role).filter((each) => fits(each, action, resource, context));
    return fitting.length > 0 && fitting.every(({ Effect }) => Effect === "Allow");
}

/** What the policies of a role say, or that of a key. */
export function statementsOf({ state: { accessKeys, resources } }: Account, role: string): Statement[] {
    const own = Object.values(resources.rolePolicies).filter((each) => each.role === role);
    return [...own, ...(accessKeys?.[role] ? [accessKeys[role]] : [])].flatMap(
        ({ policy }): Statement[] => JSON.parse(policy).Statement,
    );
}

function fits({ Action, Resource, Condition = {} }: Statement, action: string, resource: string, context: Context) {
    return (
        [Action].flat().some((pattern) => matches(pattern, action)) &&
        [Resource].flat().some((pattern) => matches(pattern, resource)) &&
        Object.entries(Condition).every(([operator, keys]) =>
            Object.entries(keys).every(([key, values]) => holds(operator, [values].flat(), given(context, key))),
        )
    );
}

/** Names of keys are the same in small letters and in capitals, but for a tag's own name. */
function given(context: Context, key: string): string | undefined {
    const same = (name: string) => name.replace(/^[^/]*/, (own) => own.toLowerCase());
    const found = Object.keys(context).find((each) => same(each) === same(key));
    return found === undefined ? undefined : context[found];
}

function holds(operator: string, wanted: readonly string[], value: string | undefined): boolean {
    switch (operator) {
        case "Null":
            return wanted.includes(String(value === undefined));
        case "StringEquals":
            return value !== undefined && wanted.includes(value);
        case "NumericGreaterThan":
            return value !== undefined && wanted.some((each) => Number(value) > Number(each));
        case "StringLike":
            return value !== undefined && wanted.some((pattern) => matches(pattern, value));
        default:
            throw new Error(`the condition ${operator} of a policy is not simulated`);
    }
}

/** As policies' patterns do: a star is any text, a question mark any character. */
function matches(pattern: string, text: string): boolean {
    const escaped = pattern.replace(/[\\^$.+()[\]{}|]/g, "\\$&");
    return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s").test(text);
}
