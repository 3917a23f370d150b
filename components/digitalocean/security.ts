import { Firewall } from "@pulumi/digitalocean/firewall";
import type { LoadBalancer } from "@pulumi/digitalocean/loadBalancer";
import type * as pulumi from "@pulumi/pulumi";
import { controllerRules, nodeRules, outboundRules } from "./firewall-rules";
import type { DigitalOceanNetwork } from "./network";

/** Lets into droplets what the cluster needs, and nothing else. */
export function createFirewalls(
    name: string,
    { nodeTag, controllerTag }: DigitalOceanNetwork,
    loadBalancer: LoadBalancer,
    opts: pulumi.CustomResourceOptions,
): void {
    const peers = { nodes: nodeTag.name, controllers: controllerTag.name, loadBalancer: loadBalancer.id };
    const all = {
        nodes: { tag: nodeTag, inboundRules: nodeRules(peers) },
        controllers: { tag: controllerTag, inboundRules: controllerRules(peers) },
    };
    for (const [suffix, { tag, inboundRules }] of Object.entries(all)) {
        const resource = `${name}-${suffix}`;
        const rules = { inboundRules, outboundRules: outboundRules() };
        new Firewall(resource, { name: resource, tags: [tag.name], ...rules }, opts);
    }
}
