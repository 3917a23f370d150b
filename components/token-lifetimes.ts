import { local } from "@pulumi/command";
import type * as pulumi from "@pulumi/pulumi";
import { type Cluster, nodesByPool } from "./cluster/model";
import { expirationCommand } from "./control-plane/bootstrap-tokens";

/**
 * When the bootstrap token of each pool ends: RFC 3339.
 *
 * It is valid for a day when the pool's number of machines changes, or when this resource is replaced
 * together with a machine, or when one is made anew with another configuration, and never because of the date: the time is
 * remembered in the stack.
 *
 * Not by `replaceWith` the machines: what is replaced before it is deleted takes its dependents along, and
 * their provider is not there yet at that point of an `up`.
 */
export function createTokenLifetimes(
    name: string,
    cluster: Cluster,
    /** Pools whose tokens do not end. */
    lasting: readonly string[],
    parent: pulumi.Resource,
    /** What machines boot with that are made anew, by pool: see `madeAnewByPool`. */
    madeAnew: Readonly<Record<string, pulumi.Input<string>>> = {},
): Record<string, pulumi.Output<string>> {
    const ending = Object.entries(nodesByPool(cluster)).filter(([pool]) => !lasting.includes(pool));
    const lifetimes = ending.map(([pool, nodes]) => {
        const { stdout } = new local.Command(
            `${name}-token-lifetime-${pool}`,
            {
                create: expirationCommand,
                triggers: [...nodes],
                ...(madeAnew[pool] !== undefined && { environment: { MADE_ANEW: madeAnew[pool] } }),
            },
            // Nothing changes when a machine has been made anew, and is no longer named.
            { parent, ignoreChanges: madeAnew[pool] === undefined ? ["environment"] : [] },
        );
        return [pool, stdout.apply((text) => text.trim())];
    });
    return Object.fromEntries(lifetimes);
}
