import { local } from "@pulumi/command";
import type { Droplet } from "@pulumi/digitalocean/droplet";
import type * as pulumi from "@pulumi/pulumi";

/**
 * What the record of a controller depends on: a controller that leaves keeps its droplet until nobody remembers the record.
 *
 * Pulumi deletes the record first, then this, then the droplet. Until then the droplet refuses at once who comes, and he goes to
 * the next address; he would wait for one that is no more. With the whole cluster nobody waits.
 *
 * @param ttl - of the record. Unit: seconds
 */
export function untilForgotten(
    node: string,
    droplet: Droplet,
    ttl: number,
    { deletedWith, ...opts }: pulumi.CustomResourceOptions & { readonly deletedWith: pulumi.Resource },
): pulumi.Resource {
    const wait = { delete: `sleep ${ttl}` };
    return new local.Command(`${node}-api-forgotten`, wait, { ...opts, dependsOn: droplet, deletedWith });
}
