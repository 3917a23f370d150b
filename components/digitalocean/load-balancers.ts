import type { Droplet } from "@pulumi/digitalocean/droplet";
import { LoadBalancer } from "@pulumi/digitalocean/loadBalancer";
import * as pulumi from "@pulumi/pulumi";
import { ports } from "../../cluster/network/ports";
import type { DigitalOceanNetwork } from "./network";
import type { DigitalOcean } from "./resolve";

/**
 * The API's load balancer: one public address in front of every controller with a ready apiserver. Candidates are listed
 * from the beginning: they get no connections until they have one.
 *
 * It lists droplets by id, not by tag: a controller is removed from it before its node is deleted.
 */
export function createLoadBalancer(
    name: string,
    { region, apiAllowedCidrs, loadBalancerNodes }: DigitalOcean,
    { vpc, names, projectId }: DigitalOceanNetwork,
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
            ...kindOf(loadBalancerNodes.api),
            ...(projectId && { projectId }),
            dropletIds: controllers.map(({ id }) => id.apply(Number)),
            forwardingRules: [{ entryPort: port, entryProtocol: "tcp", targetPort: port, targetProtocol: "tcp" }],
            // The shortest values allowed: a controller that stops gets no new connections after 6 seconds.
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
        // Another type would replace it, and its address.
        pulumi.mergeOptions({ ...opts, ignoreChanges: ["type"] }, names.ofBalancer(`${name}-api`)),
    );
}

/**
 * One that accepts connections itself, so that firewalls can allow it, and that is in the VPC. DigitalOcean's default
 * may become another one, as that of its cloud controller did.
 */
export function kindOf(nodes: number | undefined) {
    return { type: "REGIONAL", ...(nodes !== undefined && { sizeUnit: nodes }) };
}

/** Nodes connect to the API's public address, and so from their own public addresses. */
function allowed(cidrs: readonly string[], droplets: readonly Droplet[]): pulumi.Input<string>[] {
    const nodes = droplets.map(({ ipv4Address }) => ipv4Address.apply((address) => `ip:${address}`));
    return [...cidrs.map((cidr) => `cidr:${cidr}`), ...nodes];
}
