import { Listener } from "@pulumi/aws/lb/listener";
import { LoadBalancer } from "@pulumi/aws/lb/loadBalancer";
import { TargetGroup } from "@pulumi/aws/lb/targetGroup";
import { TargetGroupAttachment } from "@pulumi/aws/lb/targetGroupAttachment";
import * as pulumi from "@pulumi/pulumi";
import { type Ingress, ingressPorts } from "../../../cluster/network/ingress";
import { ports } from "../../../cluster/network/ports";
import { whichAreKnown } from "../../pulumi/engine";
import { checked, mustStay } from "../../pulumi/errors";
import type { AwsAccount } from "../account";
import { subnetProblem } from "../judge-account";
import type { Aws, AwsNetwork, NetworkSubnet } from "../model";
import type { Tags } from "../tags";
import { type ApiHealthCheck, apiHealthCheck } from "./health-check";
import type { AwsIngress } from "./ingress";
import type { AwsSecurity } from "./security-groups";

const port = ports.kubeApiserver;

export interface AwsLoadBalancer {
    readonly balancer: LoadBalancer;
    readonly listener: Listener;
    /** Adds an instance to the targets. */
    attach(name: string, instanceId: pulumi.Input<string>): TargetGroupAttachment;
}

interface LoadBalancerArgs {
    readonly aws: Pick<Aws, "apiAccess" | "apiHealthCheck" | "ipv6" | "existing">;
    readonly account: AwsAccount;
    readonly network: AwsNetwork;
    readonly security: AwsSecurity;
    readonly tags: Tags;
}

/** The API's network load balancer. */
export function createLoadBalancer(
    name: string,
    { aws, account, ...shared }: LoadBalancerArgs,
    opts: pulumi.CustomResourceOptions,
): AwsLoadBalancer {
    const network = { ...shared.network, loadBalancerSubnets: keptSubnets(account, shared.network, aws) };
    const isNew = { balancer: account.ofBalancer(shared.network.own), targets: account.ofTargets(`${name}-api`) };
    const check = aws.apiHealthCheck;
    const settings = { internal: aws.apiAccess === "internal", ipv6: aws.ipv6, check, ...shared, network, isNew };
    const created = createApiBalancer(`${name}-api`, settings, opts);
    mustStay(
        "apiAccess",
        aws.apiAccess,
        created.balancer.internal.apply((is) => (is ? "internal" : "public")),
    );
    return created;
}

/**
 * Refuses, at preview, to remove or swap a subnet of the load balancer: the provider would replace it, and delete it first
 * because of its name. AWS itself could remove one (hashicorp/terraform-provider-aws#41418).
 */
function keptSubnets(
    { balancer }: AwsAccount,
    { vpc, loadBalancerSubnets }: AwsNetwork,
    { existing }: Pick<Aws, "existing">,
): NetworkSubnet[] {
    const ids = loadBalancerSubnets.map(({ id }) => pulumi.output(id));
    // Those that are unknown at preview are new. A load balancer in another VPC is that of another cluster.
    const check = pulumi.all([balancer, vpc.id, whichAreKnown(ids)]).apply(([found, vpcId, known]) =>
        checked(() => {
            if (!found || found === "missing" || found.vpcId !== vpcId) return;
            const problem = subnetProblem(
                found,
                { known, count: ids.length },
                existing ? "loadBalancerSubnetIds" : "zones",
            );
            if (problem !== undefined) throw new Error(problem);
        }),
    );
    return loadBalancerSubnets.map((subnet, index) => ({ ...subnet, id: check.apply(() => ids[index]!) }));
}

interface ApiBalancerArgs extends Omit<LoadBalancerArgs, "aws" | "account"> {
    readonly internal: boolean;
    readonly ipv6: boolean;
    readonly check: ApiHealthCheck;
    /** Options that refuse names that are taken. @default it is not checked */
    readonly isNew?: Readonly<Record<"balancer" | "targets", pulumi.CustomResourceOptions>>;
}

/** A network load balancer in front of every controller with a ready apiserver. */
export function createApiBalancer(
    resource: string,
    { internal, ipv6, check, network, security, tags, isNew }: ApiBalancerArgs,
    opts: pulumi.CustomResourceOptions,
): AwsLoadBalancer {
    const { vpc, loadBalancerSubnets, ways } = network;
    const named = { name: resource, tags: tags(resource) };
    const balancer = new LoadBalancer(
        resource,
        {
            ...named,
            loadBalancerType: "network",
            internal,
            ...(ipv6 && { ipAddressType: "dualstack" }),
            subnets: loadBalancerSubnets.map(({ id }) => id),
            securityGroups: [security.groups["load-balancer"].id],
            // With one controller, it serves clients of every zone.
            enableCrossZoneLoadBalancing: true,
        },
        // It would be a new one, whose name is still taken by the old one.
        pulumi.mergeOptions({ ...opts, dependsOn: [...ways], ignoreChanges: ["internal"] }, isNew?.balancer),
    );
    const targets = new TargetGroup(
        resource,
        {
            ...named,
            vpcId: vpc.id,
            targetType: "instance",
            protocol: "TCP",
            port,
            // Otherwise a controller that connects to the API by name and is routed to itself gets no response.
            preserveClientIp: "false",
            deregistrationDelay: 30,
            healthCheck: apiHealthCheck(check),
        },
        pulumi.mergeOptions(opts, isNew?.targets),
    );
    const listener = new Listener(
        resource,
        {
            loadBalancerArn: balancer.arn,
            protocol: "TCP",
            port,
            defaultActions: [{ type: "forward", targetGroupArn: targets.arn }],
            tags: tags(resource),
        },
        opts,
    );
    const attach = (name: string, targetId: pulumi.Input<string>) =>
        new TargetGroupAttachment(name, { targetGroupArn: targets.arn, targetId, port }, opts);
    return { balancer, listener, attach };
}

const ingressProtocols = ["http", "https"] as const;

interface IngressArgs extends Pick<LoadBalancerArgs, "account" | "network" | "tags"> {
    readonly balancer: LoadBalancer;
    readonly ingress: AwsIngress;
}

/**
 * TCP 80 and 443 of the cluster's load balancer, with target groups for the instances of worker groups.
 *
 * It is the API's load balancer, as in Typhoon: each port has its own rules and targets, and a second one would double
 * the cost.
 */
export function createIngress(
    name: string,
    { balancer, account, network, ingress, tags }: IngressArgs,
    opts: pulumi.CustomResourceOptions,
): TargetGroup[] {
    return ingressProtocols.map((protocol) => {
        const resource = `${name}-${protocol}`;
        // A target group's port cannot change, and names must be unique.
        const group = `${name}-${ingress[protocol]}`;
        const targets = new TargetGroup(
            group,
            {
                name: group,
                vpcId: network.vpc.id,
                targetType: "instance",
                protocol: "TCP",
                port: ingress[protocol],
                // Ingress controllers need the client's address: from packets, or from a header.
                preserveClientIp: String(!ingress.proxyProtocol),
                ...(ingress.proxyProtocol && { proxyProtocolV2: true }),
                deregistrationDelay: 60,
                healthCheck: healthCheck(ingress, protocol),
                tags: tags(group),
            },
            pulumi.mergeOptions(opts, account.ofTargets(group)),
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

/** Adds an instance that the stack names to the targets of ingress. */
export function attachToIngress(
    node: string,
    targetId: pulumi.Input<string>,
    groups: readonly TargetGroup[],
    opts: pulumi.CustomResourceOptions,
): void {
    groups.forEach(({ arn: targetGroupArn }, index) => {
        new TargetGroupAttachment(`${node}-${ingressProtocols[index]!}`, { targetGroupArn, targetId }, opts);
    });
}

function healthCheck({ healthCheck: asked, ...ports }: Ingress, protocol: "http" | "https") {
    const often = { interval: 10, timeout: 5, healthyThreshold: 2, unhealthyThreshold: 2 };
    return asked
        ? { protocol: "HTTP", port: String(asked.port), path: asked.path, matcher: "200", ...often }
        : // Explicitly empty: those of a former HTTP check would stay, and the provider refuses them with TCP.
          { protocol: "TCP", port: String(ports[protocol]), path: "", matcher: "", ...often };
}
