import { met } from "../shared/behaviours";
import type { Account } from "./account";
import { delay } from "./eventually";

/** The supported parts of a policy statement. */
export interface Statement {
    readonly Effect: string;
    readonly Action: string | readonly string[];
    readonly Resource: string | readonly string[];
    readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/** Values of a request's condition keys, only those that it has: `aws:ResourceTag/<key>` and others. */
export type Context = Readonly<Record<string, string>>;

/**
 * Whether a role or the owner of a key may perform an action on a resource, given by its ARN or `*`: some statement has
 * to allow it, and none may deny it.
 */
export function mayRole(account: Account, role: string, action: string, resource: string, context: Context = {}) {
    const allows = (statements: readonly Statement[]) => {
        const fitting = statements.filter((each) => fits(each, action, resource, context));
        return fitting.length > 0 && fitting.every(({ Effect }) => Effect === "Allow");
    };
    const isAllowed = allows(statementsOf(account, role, (id) => account.age(id) >= delay(account, "policy")));
    if (!isAllowed && allows(statementsOf(account, role))) met("late policy");
    return isAllowed;
}

/** The policies of a role, or of a key. @param isInEffect - the last change, by a policy's id. @default all are */
export function statementsOf(
    { state: { accessKeys, resources } }: Account,
    role: string,
    isInEffect: (id: string) => boolean = () => true,
): Statement[] {
    const of = <P extends { readonly role: string }>(policies: Readonly<Record<string, P>> = {}) =>
        Object.entries(policies).filter(([, each]) => each.role === role);
    const own = of(resources.rolePolicies).flatMap(([id, { policy, earlier }]) => {
        const text = isInEffect(id) ? policy : earlier;
        return text === undefined ? [] : [{ policy: text }];
    });
    const attached = of(resources.attachedPolicies).flatMap(([id, each]) => (isInEffect(id) ? [each] : []));
    return [
        ...[...own, ...(accessKeys?.[role] ? [accessKeys[role]] : [])].flatMap(
            ({ policy }): Statement[] => JSON.parse(policy).Statement,
        ),
        ...attached.flatMap(({ name }) => managed[name] ?? []),
    ];
}

/** Managed policies of AWS that matter here, by ARN. Source: AWS' reference of managed policies. */
const managed: Readonly<Record<string, Statement>> = {
    "arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryPullOnly": {
        Effect: "Allow",
        Action: [
            "ecr:GetAuthorizationToken",
            "ecr:BatchGetImage",
            "ecr:GetDownloadUrlForLayer",
            "ecr:BatchImportUpstreamImage",
        ],
        Resource: "*",
    },
};

function fits({ Action, Resource, Condition = {} }: Statement, action: string, resource: string, context: Context) {
    return (
        [Action].flat().some((pattern) => matches(pattern, action)) &&
        [Resource].flat().some((pattern) => matches(pattern, resource)) &&
        Object.entries(Condition).every(([operator, keys]) =>
            Object.entries(keys).every(([key, values]) => holds(operator, [values].flat(), given(context, key))),
        )
    );
}

/** Names of keys are case-insensitive, except for the key of a tag. */
function given(context: Context, key: string): string | undefined {
    const same = (name: string) => name.replace(/^[^/]*/, (own) => own.toLowerCase());
    const found = Object.keys(context).find((each) => same(each) === same(key));
    return found === undefined ? undefined : context[found];
}

function holds(operator: string, expected: readonly string[], value: string | undefined): boolean {
    switch (operator) {
        case "Null":
            return expected.includes(String(value === undefined));
        case "Bool":
        case "StringEquals":
            return value !== undefined && expected.includes(value);
        case "NumericGreaterThan":
            return value !== undefined && expected.some((each) => Number(value) > Number(each));
        case "StringLike":
            return value !== undefined && expected.some((pattern) => matches(pattern, value));
        default:
            throw new Error(`the condition ${operator} of a policy is not simulated`);
    }
}

/** Like patterns of policies: an asterisk matches any text, a question mark any character. */
function matches(pattern: string, text: string): boolean {
    const escaped = pattern.replace(/[\\^$.+()[\]{}|]/g, "\\$&");
    return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s").test(text);
}
