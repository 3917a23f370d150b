import type { RouteTable } from "@pulumi/aws/ec2/routeTable";
import type { SecurityGroup } from "@pulumi/aws/ec2/securityGroup";
import type { Vpc } from "@pulumi/aws/ec2/vpc";
import { VpcEndpoint } from "@pulumi/aws/ec2/vpcEndpoint";
import type * as pulumi from "@pulumi/pulumi";
import { serviceEndpoints } from "./endpoint-services";
import type { AwsNetwork } from "./network";
import type { Aws } from "./resolve";
import type { Tags } from "./tags";

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

export interface ServiceEndpointsArgs {
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
