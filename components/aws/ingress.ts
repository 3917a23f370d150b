import { Listener } from "@pulumi/aws/lb/listener";
import type { LoadBalancer } from "@pulumi/aws/lb/loadBalancer";
import { TargetGroup } from "@pulumi/aws/lb/targetGroup";
import type * as pulumi from "@pulumi/pulumi";
import { type Ingress, ingressPorts } from "../cluster/ingress";
import type { AwsNetwork } from "./network";
import type { Tags } from "./tags";

/**
 * TCP 80 and 443 of the cluster's load balancer, and who answers there: the instances of groups that take these targets.
 *
 * It is the API's load balancer, as Typhoon's: each port has rules and targets of its own, and a second one costs as much
 * again.
 */
export function createIngress(
    name: string,
    { balancer, network, ingress }: { balancer: LoadBalancer; network: AwsNetwork; ingress: Ingress },
    tags: Tags,
    opts: pulumi.CustomResourceOptions,
): TargetGroup[] {
    return (["http", "https"] as const).map((protocol) => {
        const resource = `${name}-${protocol}`;
        // A target group's port never changes, nor may two have one name.
        const group = `${name}-${ingress[protocol]}`;
        const targets = new TargetGroup(
            group,
            {
                name: group,
                vpcId: network.vpc.id,
                targetType: "instance",
                protocol: "TCP",
                port: ingress[protocol],
                // Ingress controllers want to know who asks.
                preserveClientIp: "true",
                deregistrationDelay: 60,
                healthCheck: healthCheck(ingress, protocol),
                tags: tags(group),
            },
            opts,
        );
        new Listener(
            resource,
            {
                loadBalancerArn: balancer.arn,
                protocol: "TCP",
                port: ingressPorts[protocol],
                defaultActions: [{ type: "forward", targetGroupArn: targets.arn }],
                tags: tags(resource),
            },
            opts,
        );
        return targets;
    });
}

function healthCheck({ healthCheck: asked, ...ports }: Ingress, protocol: "http" | "https") {
    const often = { interval: 10, timeout: 5, healthyThreshold: 2, unhealthyThreshold: 2 };
    return asked
        ? { protocol: "HTTP", port: String(asked.port), path: asked.path, matcher: "200", ...often }
        : { protocol: "TCP", port: String(ports[protocol]), ...often };
}
