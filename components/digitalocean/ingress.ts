import { LoadBalancer } from "@pulumi/digitalocean/loadBalancer";
import type * as pulumi from "@pulumi/pulumi";
import { type Ingress, ingressPorts } from "../cluster/ingress";
import type { Cluster } from "../cluster/model";
import { createIngressName } from "./dns";
import type { DigitalOceanNetwork } from "./network";
import type { DigitalOcean } from "./resolve";
import { createIngressFirewall } from "./security";

/**
 * A load balancer for TCP 80 and 443 in front of workers, where it is asked for.
 *
 * One of its own: a load balancer there has one health check, and one set of droplets. It knows them by a tag, so that
 * a worker that comes or goes changes nothing of it.
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
