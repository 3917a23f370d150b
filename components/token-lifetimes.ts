import { local } from "@pulumi/command";
import type * as pulumi from "@pulumi/pulumi";
import { type Cluster, nodesByPool } from "./cluster/model";
import { expirationCommand } from "./control-plane/bootstrap-tokens";

/**
 * When the bootstrap token of each pool ends: RFC 3339.
 *
 * It is valid for a day whenever the pool's machines change, be it another number or one made anew, and
 * never because of the date: the time is remembered in the stack.
 */
export function createTokenLifetimes(
    name: string,
    cluster: Cluster,
    machines: Readonly<Record<string, pulumi.Resource>>,
    parent: pulumi.Resource,
): Record<string, pulumi.Output<string>> {
    const lifetimes = Object.entries(nodesByPool(cluster)).map(([pool, nodes]) => {
        const { stdout } = new local.Command(
            `${name}-token-lifetime-${pool}`,
            { create: expirationCommand, triggers: [...nodes] },
            { parent, replaceWith: nodes.map((node) => machines[node]!), deleteBeforeReplace: true },
        );
        return [pool, stdout.apply((text) => text.trim())];
    });
    return Object.fromEntries(lifetimes);
}
