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
    { vpc }: DigitalOceanNetwork,
    controllers: readonly Droplet[],
    opts: pulumi.CustomResourceOptions,
): LoadBalancer {
    const port = ports.kubeApiserver;
    return new LoadBalancer(
        `${name}-api`,
        {
            name: `${name}-api`,
            region,
            vpcUuid: vpc.id,
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
            ...(apiAllowedCidrs && { firewall: { allows: apiAllowedCidrs.map((cidr) => `cidr:${cidr}`) } }),
        },
        opts,
    );
}
