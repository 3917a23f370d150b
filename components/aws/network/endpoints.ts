import type { RouteTable } from "@pulumi/aws/ec2/routeTable";
import type { SecurityGroup } from "@pulumi/aws/ec2/securityGroup";
import type { Vpc } from "@pulumi/aws/ec2/vpc";
import { VpcEndpoint } from "@pulumi/aws/ec2/vpcEndpoint";
import type * as pulumi from "@pulumi/pulumi";
import type { MachineDownloads } from "../../../cluster/downloads";
import { runtimesOf } from "../../../cluster/machines/download-checks";
import { invalid, mustNot, requireMatch, requires } from "../../../cluster/validate";
import type { Architecture } from "../machines/instance-types";
import type { Aws, AwsNetwork } from "../model";
import type { AwsOptions } from "../options";
import type { Tags } from "../tags";

const serviceName = (region: string, service: string) => `com.amazonaws.${region}.${service}`;

/** S3 in the region through the subnets' route tables, without an address and free of charge. */
export function createS3Endpoint(
    name: string,
    {
        region,
        vpc,
        tables,
        tags,
    }: { readonly region: string; readonly vpc: Vpc; readonly tables: readonly RouteTable[]; readonly tags: Tags },
    opts: pulumi.CustomResourceOptions,
): VpcEndpoint {
    return new VpcEndpoint(
        `${name}-s3`,
        {
            vpcId: vpc.id,
            serviceName: serviceName(region, "s3"),
            vpcEndpointType: "Gateway",
            routeTableIds: tables.map(({ id }) => id),
            tags: tags(`${name}-s3`),
        },
        opts,
    );
}

interface ServiceEndpointsArgs {
    readonly aws: Aws;
    readonly network: AwsNetwork;
    /** None without endpoints. */
    readonly group?: SecurityGroup;
    readonly tags: Tags;
}

/** Other services through addresses in the nodes' subnets, or only in the first zone, under their usual names. */
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
    | "cloudController"
    | "csiDriver"
    | "autoscaler"
    | "hasRepairer"
    | "hasServingApprover"
> & {
    readonly pools: Readonly<Record<string, unknown>>;
};

/** A service with an interface endpoint. */
interface ServiceEndpoint {
    /** The end of its name. */
    readonly service: string;
    /** Whether it has an address in each zone, charged by the hour, or only in the first one. */
    readonly isInEachZone: boolean;
}

/**
 * Services that need an interface endpoint without a route to the internet: those that the cloud's controllers call,
 * those requested by the user, with pools EC2 for node-cleaner and Auto Scaling for drained nodes, and EC2 for the
 * approver of kubelet certificates and the agent that repairs machines.
 *
 * Every zone of the VPC resolves an endpoint by its name. So one zone is enough for clients that retry: while it is
 * down, nodes of terminated instances remain, and instances being terminated remain until their groups stop waiting.
 *
 * None of them calls STS, because instances get their credentials from their metadata.
 */
export function serviceEndpoints(aws: Needs): ServiceEndpoint[] {
    if (aws.natGateways !== "none") return [];
    const ofAgents = [
        ...(Object.keys(aws.pools).length > 0 ? ["autoscaling", "ec2"] : []),
        ...(aws.hasServingApprover || aws.hasRepairer ? ["ec2"] : []),
    ];
    const everywhere = servicesInEachZone(aws);
    return [...new Set([...everywhere, ...ofAgents])]
        .sort()
        .map((service) => ({ service, isInEachZone: everywhere.includes(service) }));
}

function servicesInEachZone(aws: Needs): string[] {
    return [
        ...(aws.cloudController ? ["ec2", "elasticloadbalancing"] : []),
        ...(aws.csiDriver ? ["ec2"] : []),
        ...(aws.autoscaler ? ["autoscaling", "ec2"] : []),
        ...aws.vpcEndpoints,
    ];
}

/** Checks the services requested by the user. */
export function requireEndpoints(services: readonly string[] | undefined, natGateways: string): readonly string[] {
    if (services && natGateways !== "none") {
        throw requires("vpcEndpoints", "natGateways none", services);
    }
    return (services ?? []).map((service, index) => {
        const option = `vpcEndpoints[${index}]`;
        if (services!.indexOf(service) !== index) throw mustNot(option, "be listed twice", service);
        if (service === "s3") throw mustNot(option, "be s3, which already has an endpoint");
        return requireMatch(
            option,
            /^[a-z0-9][a-z0-9.-]{0,60}$/,
            "the end of a service name, such as ecr.api for com.amazonaws.eu-central-1.ecr.api",
            service,
        );
    });
}

/** Hosts on the internet that publish what nodes download. */
const published = [
    "dl.k8s.io",
    "cdn.dl.k8s.io",
    "artifacts.k8s.io",
    "github.com",
    "objects.githubusercontent.com",
    "storage.googleapis.com",
];

/**
 * Checks that nodes without a route to the internet can reach their downloads.
 *
 * Only places that cannot work are known: a bucket of the region is reached through the S3 endpoint, and a host in the
 * VPC or in a connected network can have any name.
 */
export function requireReachable(downloads: MachineDownloads, architecture: Architecture): void {
    const { kubelet, otherKubelets = {}, cniPlugins, otherCniPlugins = [], registryMirror } = downloads;
    const { ecrCredentialProvider } = downloads;
    const prefix = architecture === "arm64" ? "downloads.arm64" : "downloads";
    const others = [
        ...(ecrCredentialProvider ? [["ecrCredentialProvider", ecrCredentialProvider] as const] : []),
        ...Object.entries(otherKubelets).map(([version, each]) => [`otherKubelets["${version}"]`, each] as const),
        ...otherCniPlugins.map((each, index) => [`otherCniPlugins[${index}]`, each] as const),
        ...runtimesOf(downloads).flatMap(([option, { containerd, runc }]) => [
            [`${option}.containerd`, containerd] as const,
            [`${option}.runc`, runc] as const,
        ]),
    ];
    for (const [name, { urls }] of [...Object.entries({ kubelet, cniPlugins }), ...others]) {
        if (urls.every((url) => isPublished(url))) {
            const legal = "in a bucket of the region or on a host of a connected network with natGateways none";
            throw invalid(`${prefix}.${name}.urls`, legal, urls);
        }
    }
    if (registryMirror === undefined) {
        const what = "downloads.registryMirror: a registry in a connected network that mirrors every image";
        throw requires("natGateways none", what);
    }
}

function isPublished(url: string): boolean {
    return URL.canParse(url) && published.includes(new URL(url).hostname);
}

/** Services that options need. Source: documentation of VPC endpoints of Systems Manager and of ECR. */
const neededServices = {
    sessionManager: ["ssm", "ssmmessages"],
    ecrPulls: ["ecr.api", "ecr.dkr"],
} as const;

/** Without a route to the internet, instances reach these services by endpoints. */
export function requireOwnEndpoints(options: Omit<AwsOptions, "downloads">): void {
    const { natGateways, vpcEndpoints = [] } = options;
    if (natGateways !== "none") return;
    for (const option of ["sessionManager", "ecrPulls"] as const) {
        const needed = neededServices[option];
        if (!options[option] || needed.every((service) => vpcEndpoints.includes(service))) continue;
        throw invalid("vpcEndpoints", `a list with ${needed.join(" and ")} for ${option}`, vpcEndpoints);
    }
}
