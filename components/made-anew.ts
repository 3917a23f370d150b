import * as pulumi from "@pulumi/pulumi";
import { contentHash } from "./cluster/content-hash";
import { type Cluster, nodesByPool } from "./cluster/model";

/**
 * What machines that are made anew boot with, by their pool: with another one the pool's token is good for another day.
 *
 * @param bootsWith - of a machine; of secrets a hash alone is kept
 */
export function madeAnewByPool(
    cluster: Cluster,
    madeAnew: readonly string[],
    bootsWith: (node: string) => readonly pulumi.Input<unknown>[],
): Record<string, pulumi.Output<string>> {
    const pools = Object.entries(nodesByPool(cluster)).map(
        ([pool, nodes]) => [pool, nodes.filter((node) => madeAnew.includes(node))] as const,
    );
    return Object.fromEntries(
        pools
            .filter(([, nodes]) => nodes.length > 0)
            .map(([pool, nodes]) => [pool, pulumi.unsecret(pulumi.all(nodes.flatMap(bootsWith)).apply(contentHash))]),
    );
}
