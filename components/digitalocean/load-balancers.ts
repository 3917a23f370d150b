import type { Droplet } from "@pulumi/digitalocean/droplet";
import { LoadBalancer } from "@pulumi/digitalocean/loadBalancer";
import type * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../cluster/model";
import { type Ingress, ingressPorts } from "../../cluster/network/ingress";
import { ports } from "../../cluster/network/ports";
import { createIngressName } from "./dns";
import type { DigitalOceanNetwork } from "./network";
import type { DigitalOcean } from "./resolve";
import { createIngressFirewall } from "./security";

/**
 * Load balancer for TCP 80 and 443 in front of workers, if ingress is enabled.
 *
 * It is separate from the API's, because a load balancer has one health check and one set of droplets. It selects them
 * by tag, so adding or removing a worker does not change it.
 */
export function createIngress(
    cluster: Cluster,
    { region, ingress }: DigitalOcean,
    { vpc, projectId, ingressTag }: DigitalOceanNetwork,
    opts: pulumi.CustomResourceOptions,
): void {
    if (!ingress || !ingressTag) return;
    const name = `${cluster.name}-ingress`;
    const forward = (from: number, to: number) => ({
        entryPort: from,
        entryProtocol: "tcp",
        targetPort: to,
        targetProtocol: "tcp",
    });
    const loadBalancer = new LoadBalancer(
        name,
        {
            name,
            region,
            vpcUuid: vpc.id,
            ...(projectId && { projectId }),
            dropletTag: ingressTag.name,
            forwardingRules: [forward(ingressPorts.http, ingress.http), forward(ingressPorts.https, ingress.https)],
            healthcheck: healthCheck(ingress),
            ...(ingress.allowedCidrs && { firewall: { allows: ingress.allowedCidrs.map((cidr) => `cidr:${cidr}`) } }),
        },
        opts,
    );
    createIngressFirewall(cluster.name, ingressTag, { ingress, loadBalancer }, opts);
    createIngressName(cluster, loadBalancer.ip, opts);
}

function healthCheck({ http, healthCheck: asked }: Ingress) {
    const often = { checkIntervalSeconds: 10, responseTimeoutSeconds: 5, unhealthyThreshold: 2, healthyThreshold: 2 };
    return asked ? { protocol: "http", ...asked, ...often } : { protocol: "tcp", port: http, ...often };
}

/**
 * The API's load balancer: one public address in front of every controller with a ready apiserver.
 *
 * It lists droplets by id, not by tag: a controller is removed from it before its node is deleted.
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
        opts,
    );
}

/** Nodes connect to the API's public address, and so from their own public addresses. */
function allowed(cidrs: readonly string[], droplets: readonly Droplet[]): pulumi.Input<string>[] {
    const nodes = droplets.map(({ ipv4Address }) => ipv4Address.apply((address) => `ip:${address}`));
    return [...cidrs.map((cidr) => `cidr:${cidr}`), ...nodes];
}
