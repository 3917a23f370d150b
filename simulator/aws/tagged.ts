import type { Simulated } from "../cloud/simulated";
import type { Account } from "./account";
import type { Tags } from "./made";

type TaggedKind =
    | "vpcs"
    | "subnets"
    | "routeTables"
    | "securityGroups"
    | "instances"
    | "volumes"
    | "loadBalancers"
    | "targetGroups"
    | "listeners";

/** A type that keeps the tags of what it makes in the account, where policies ask for them. */
export function tagged(kind: TaggedKind, type: Simulated<Account>): Simulated<Account> {
    const { update } = type;
    const keep = (account: Account, id: string, tags: unknown) =>
        account.change(kind, id, (now) => ({ ...now, tags: (tags ?? {}) as Tags }));
    return {
        ...type,
        async create(account, inputs) {
            const made = await type.create(account, inputs);
            keep(account, made.id, inputs.tags);
            return made;
        },
        ...(update && {
            async update(account, id, inputs, before) {
                const outputs = await update(account, id, inputs, before);
                keep(account, id, inputs.tags);
                return outputs;
            },
        }),
    };
}
