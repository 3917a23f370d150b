import type { RouteTable } from "@pulumi/aws/ec2/routeTable";
import type { SecurityGroup } from "@pulumi/aws/ec2/securityGroup";
import type { Vpc } from "@pulumi/aws/ec2/vpc";
import { VpcEndpoint } from "@pulumi/aws/ec2/vpcEndpoint";
import type * as pulumi from "@pulumi/pulumi";
import { invalid, requireMatch } from "../../../cluster/validate";
import type { Aws, AwsNetwork } from "../model";
import type { Tags } from "../tags";

const serviceName = (region: string, service: string) => `com.amazonaws.${region}.${service}`;

/** S3 by the subnets' route table, without an address and without a price. */
export function createS3Endpoint(
    name: string,
    {
        region,
        vpc,
        table,
        tags,
    }: { readonly region: string; readonly vpc: Vpc; readonly table: RouteTable; readonly tags: Tags },
    opts: pulumi.CustomResourceOptions,
): VpcEndpoint {
    return new VpcEndpoint(
        `${name}-s3`,
        {
            vpcId: vpc.id,
            serviceName: serviceName(region, "s3"),
            vpcEndpointType: "Gateway",
            routeTableIds: [table.id],
            tags: tags(`${name}-s3`),
        },
        opts,
    );
}

interface ServiceEndpointsArgs {
    readonly aws: Aws;
    readonly network: AwsNetwork;
    /** None where there are no endpoints. */
    readonly group?: SecurityGroup;
    readonly tags: Tags;
}

/** Other services by addresses in nodes' subnets, or in the first one's zone alone, under the names that they have everywhere. */
export function createServiceEndpoints(
    name: string,
    { aws, network, group, tags }: ServiceEndpointsArgs,
    opts: pulumi.CustomResourceOptions,
): void {
    if (!group) return;
    for (const { service, isInEachZone } of serviceEndpoints(aws)) {
        const resource = `${name}-${service}`;
        const subnets = isInEachZone ? network.nodeSubnets : network.nodeSubnets.slice(0, 1);
        new VpcEndpoint(
            resource,
            {
                vpcId: network.vpc.id,
                serviceName: serviceName(aws.region, service),
                vpcEndpointType: "Interface",
                subnetIds: subnets.map(({ id }) => id),
                securityGroupIds: [group.id],
                privateDnsEnabled: true,
                tags: tags(resource),
            },
            opts,
        );
    }
}

type Needs = Pick<
    Aws,
    | "natGateways"
    | "vpcEndpoints"
    | "hasCloudController"
    | "hasCsiDriver"
    | "hasClusterAutoscaler"
    | "hasServingApprover"
> & {
    readonly pools: Readonly<Record<string, unknown>>;
};

/** A service that has an endpoint with addresses. */
interface ServiceEndpoint {
    /** The end of its name. */
    readonly service: string;
    /** In each zone it has an address, which costs by the hour; else in the first one alone. */
    readonly isInEachZone: boolean;
}

/**
 * Services that have an endpoint with addresses where nothing gets out: those that clouds' own controllers call, those that
 * were asked for, and where there are pools EC2 for node-cleaner, and Auto Scaling for nodes that are drained;
 * EC2 for the approver of kubelets' certificates, too.
 *
 * Every zone of the VPC finds an endpoint by its name. So those who alone call it and ask again have enough of one zone: while that
 * is lost, nodes of instances that are gone stay, and instances that go stay until their groups wait no longer.
 *
 * None of them calls STS, since instances have their rights from their metadata.
 */
export function serviceEndpoints(aws: Needs): ServiceEndpoint[] {
    if (aws.natGateways !== "none") return [];
    const ofAgents = [
        ...(Object.keys(aws.pools).length > 0 ? ["autoscaling", "ec2"] : []),
        ...(aws.hasServingApprover ? ["ec2"] : []),
    ];
    const everywhere = servicesInEachZone(aws);
    return [...new Set([...everywhere, ...ofAgents])]
        .sort()
        .map((service) => ({ service, isInEachZone: everywhere.includes(service) }));
}

function servicesInEachZone(aws: Needs): string[] {
    return [
        ...(aws.hasCloudController ? ["ec2", "elasticloadbalancing"] : []),
        ...(aws.hasCsiDriver ? ["ec2"] : []),
        ...(aws.hasClusterAutoscaler ? ["autoscaling", "ec2"] : []),
        ...aws.vpcEndpoints,
    ];
}

/** Checks services that were asked for. */
export function requireEndpoints(services: readonly string[] | undefined, natGateways: string): readonly string[] {
    if (services && natGateways !== "none") {
        throw invalid("vpcEndpoints", "left out unless natGateways is none", services);
    }
    return (services ?? []).map((service, index) => {
        const option = `vpcEndpoints[${index}]`;
        if (services!.indexOf(service) !== index) throw invalid(option, "given once", service);
        if (service === "s3") throw invalid(option, "left out, since s3 has one already", service);
        return requireMatch(
            option,
            /^[a-z0-9][a-z0-9.-]{0,60}$/,
            "the end of a service's name, such as ecr.api of com.amazonaws.eu-central-1.ecr.api",
            service,
        );
    });
}
