import type { Droplet } from "@pulumi/digitalocean/droplet";
import { LoadBalancer } from "@pulumi/digitalocean/loadBalancer";
import type { Tag } from "@pulumi/digitalocean/tag";
import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../cluster/model";
import { type Ingress, ingressPorts } from "../../cluster/network/ingress";
import { createIngressName, createWorkersName } from "./dns";
import { kindOf } from "./load-balancers";
import type { DigitalOceanNetwork } from "./network";
import type { DigitalOcean } from "./resolve";
import { createIngressFirewall, ingressRules } from "./security";

/** Lets traffic for TCP 80 and 443 reach workers, if ingress is enabled: through a load balancer or by their name. */
export function createIngress(
    cluster: Cluster,
    digitalOcean: DigitalOcean,
    network: DigitalOceanNetwork,
    workers: Readonly<Record<string, Droplet>>,
    opts: { readonly parent: pulumi.Resource },
): void {
    const { ingress, ingressLoadBalancer } = digitalOcean;
    const { ingressTag } = network;
    if (!ingress || !ingressTag) return;
    if (ingressLoadBalancer) {
        createBalanced(cluster, { ...digitalOcean, ingress }, { ...network, ingressTag }, opts);
        return;
    }
    const { allowedCidrs } = ingress;
    const everyone = ["0.0.0.0/0", ...(digitalOcean.ipv6 ? ["::/0"] : [])];
    const rules = ingressRules(ingress, { addresses: allowedCidrs ?? everyone });
    createIngressFirewall(cluster.name, ingressTag, rules, opts);
    const pools = cluster.workerPools.filter(({ name }) => ingress.pools.includes(name));
    const nodes = pools.flatMap((pool) => pool.nodes.map((node) => [node, workers[node]!] as const));
    createWorkersName(cluster, digitalOcean, Object.fromEntries(nodes), { ...opts, deletedWith: network.vpc });
}

/**
 * Load balancer for TCP 80 and 443 in front of workers.
 *
 * It is separate from the API's, because a load balancer has one health check and one set of droplets. It selects them
 * by tag, so adding or removing a worker does not change it.
 */
function createBalanced(
    cluster: Cluster,
    { region, ingress, loadBalancerNodes }: DigitalOcean & { readonly ingress: Ingress },
    { vpc, names, projectId, ingressTag }: DigitalOceanNetwork & { readonly ingressTag: Tag },
    opts: pulumi.CustomResourceOptions,
): void {
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
            ...kindOf(loadBalancerNodes.ingress),
            ...(projectId && { projectId }),
            dropletTag: ingressTag.name,
            forwardingRules: [forward(ingressPorts.http, ingress.http), forward(ingressPorts.https, ingress.https)],
            healthcheck: healthCheck(ingress),
            ...(ingress.allowedCidrs && { firewall: { allows: ingress.allowedCidrs.map((cidr) => `cidr:${cidr}`) } }),
        },
        pulumi.mergeOptions({ ...opts, ignoreChanges: ["type"] }, names.ofBalancer(name)),
    );
    createIngressFirewall(cluster.name, ingressTag, ingressRules(ingress, { loadBalancer: loadBalancer.id }), opts);
    createIngressName(cluster, loadBalancer.ip, opts);
}

function healthCheck({ http, healthCheck: asked }: Ingress) {
    const often = { checkIntervalSeconds: 10, responseTimeoutSeconds: 5, unhealthyThreshold: 2, healthyThreshold: 2 };
    return asked ? { protocol: "http", ...asked, ...often } : { protocol: "tcp", port: http, ...often };
}
