import type { Droplet } from "@pulumi/digitalocean/droplet";
import { LoadBalancer } from "@pulumi/digitalocean/loadBalancer";
import type * as pulumi from "@pulumi/pulumi";
import { ports } from "../cluster/ports";
import type { DigitalOceanNetwork } from "./network";
import type { DigitalOcean } from "./resolve";

/**
 * The API's load balancer: one public address in front of every controller whose apiserver is ready.
 *
 * It is told droplets by their ids, not by a tag: a controller that leaves is taken out before its node is removed.
 */
export function createLoadBalancer(
    name: string,
    { region, apiAllowedCidrs }: DigitalOcean,
    { vpc, projectId }: DigitalOceanNetwork,
    { controllers, all }: { readonly controllers: readonly Droplet[]; readonly all: readonly Droplet[] },
    opts: pulumi.CustomResourceOptions,
): LoadBalancer {
    const port = ports.kubeApiserver;
    return new LoadBalancer(
        `${name}-api`,
        {
            name: `${name}-api`,
            region,
            vpcUuid: vpc.id,
            ...(projectId && { projectId }),
            dropletIds: controllers.map(({ id }) => id.apply(Number)),
            forwardingRules: [{ entryPort: port, entryProtocol: "tcp", targetPort: port, targetProtocol: "tcp" }],
            // The quickest that it takes: a controller that stops gets no connections after 6 seconds.
            healthcheck: {
                protocol: "https",
                port,
                path: "/readyz",
                checkIntervalSeconds: 3,
                responseTimeoutSeconds: 3,
                unhealthyThreshold: 2,
                healthyThreshold: 2,
            },
            ...(apiAllowedCidrs && { firewall: { allows: allowed(apiAllowedCidrs, all) } }),
        },
        opts,
    );
}

/** Nodes ask the API by its public address, and so from theirs. */
function allowed(cidrs: readonly string[], droplets: readonly Droplet[]): pulumi.Input<string>[] {
    const nodes = droplets.map(({ ipv4Address }) => ipv4Address.apply((address) => `ip:${address}`));
    return [...cidrs.map((cidr) => `cidr:${cidr}`), ...nodes];
}
