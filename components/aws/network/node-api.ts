import { Record } from "@pulumi/aws/route53/record";
import { Zone } from "@pulumi/aws/route53/zone";
import type * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../../cluster/model";
import type { AwsNetwork } from "../model";
import type { Tags } from "../tags";
import type { ApiHealthCheck } from "./health-check";
import { type AwsLoadBalancer, createApiBalancer } from "./load-balancer";
import type { AwsSecurity } from "./security-groups";

interface NodeApi extends Pick<AwsLoadBalancer, "attach"> {
    /** What must exist before nodes look up the API. */
    readonly names: readonly pulumi.Resource[];
}

interface NodeApiArgs {
    readonly cluster: Cluster;
    readonly check: ApiHealthCheck;
    readonly network: AwsNetwork;
    readonly security: AwsSecurity;
    readonly tags: Tags;
}

/**
 * A second, internal load balancer with the same controllers. In the VPC a private zone hides the API's public name, so
 * that no connection of a node to a public API leaves the VPC: none depends on a NAT gateway or on a public address.
 *
 * The zone has no other name than the API's, so it hides nothing else of the domain.
 */
export function createNodeApi(
    { cluster, check, network, security, tags }: NodeApiArgs,
    opts: pulumi.CustomResourceOptions,
): NodeApi {
    const { name, apiName } = cluster;
    // The shortest of suffixes: names of load balancers have at most 32 characters.
    const resource = `${name}-nodes`;
    const settings = { internal: true, ipv6: false, check, network, security, tags };
    const { balancer, listener, attach } = createApiBalancer(resource, settings, opts);
    const zone = new Zone(
        resource,
        {
            name: apiName,
            comment: `The API of the cluster ${name}, for its nodes`,
            vpcs: [{ vpcId: network.vpc.id }],
            forceDestroy: true,
            tags: tags(resource),
        },
        // An existing VPC resolves the name to nothing from now on until the record exists, and remembers that for
        // minutes: so what takes long comes first. Users may associate other VPCs with it.
        { ...opts, dependsOn: [listener], ignoreChanges: ["vpcs"] },
    );
    const aliases = [{ name: balancer.dnsName, zoneId: balancer.zoneId, evaluateTargetHealth: false }];
    const record = new Record(resource, { zoneId: zone.zoneId, type: "A", aliases, name: apiName }, opts);
    return { attach: (node, instance) => attach(`${node}-nodes`, instance), names: [record] };
}
