import type { Call, Need } from "../query/action";
import { type Tags, tagsOf, textOf } from "../query/params";

export const service = "elasticloadbalancing";

type Kind = "loadBalancers" | "targetGroups" | "listeners";

/** On the resource of a parameter's ARN, whose tags decide. */
export function onArn(action: string, kind: Kind, parameter: string): (call: Call) => Need[] {
    return ({ account, params }) => {
        const on = textOf(params, parameter);
        return [{ action: `${service}:${action}`, on, tags: findTagged({ account, params } as Call, kind, on).tags }];
    };
}

/** Permissions to create something and tag it on creation. */
export function toMake(action: string, { params }: Call, on: string, created: string, tags?: Tags): Need[] {
    const asked = tagsOf(params, "Tags");
    const context = { [`${service}:CreateAction`]: action };
    return [
        { action: `${service}:${action}`, on, tags, asked },
        ...(Object.keys(asked).length > 0 ? [{ action: `${service}:AddTags`, on: created, asked, context }] : []),
    ];
}

const codes = {
    loadBalancers: "LoadBalancerNotFound",
    targetGroups: "TargetGroupNotFound",
    listeners: "ListenerNotFound",
};

/** The resource of an ARN; throws the service's error if it does not exist. */
export function findTagged<K extends Kind>({ account }: Pick<Call, "account">, kind: K, arn: string) {
    const found = account.resources[kind][arn];
    if (!found) throw new Error(`${codes[kind]}: One or more of '${arn}' not found`);
    return found as NonNullable<(typeof account.resources)[K][string]>;
}
