import { cloudOf } from "../../../cluster/clouds";
import { type Bill, sum } from "./bill";

/** A resource in a stack's state. */
export interface Resource {
    readonly urn: string;
    readonly type: string;
    readonly id?: string;
    // biome-ignore lint/suspicious/noExplicitAny: each type of resource has its own.
    readonly inputs?: Record<string, any>;
}

type Priced = (resource: Resource, all: readonly Resource[]) => Partial<Bill>;

/** Resource types with a fixed price. */
export const priced: Readonly<Record<string, Priced>> = {
    "aws:ec2/instance:Instance": ({ inputs }) => ({
        controllers: { [inputs!.instanceType]: 1 },
        storage: inputs!.rootBlockDevice.volumeSize,
        publicAddresses: inputs!.associatePublicIpAddress ? 1 : 0,
    }),
    "aws:autoscaling/group:Group": groupOf,
    "aws:ebs/volume:Volume": ({ inputs }) => ({ storage: inputs!.size }),
    "aws:ec2/natGateway:NatGateway": () => ({ natGateways: 1 }),
    "aws:ec2/eip:Eip": () => ({ publicAddresses: 1 }),
    // One address per zone.
    "aws:lb/loadBalancer:LoadBalancer": ({ inputs }) => ({
        loadBalancers: 1,
        publicAddresses: inputs!.internal ? 0 : inputs!.subnets.length,
    }),
    // Gateway endpoints for S3 are free.
    "aws:ec2/vpcEndpoint:VpcEndpoint": ({ inputs }) => ({
        endpoints: inputs!.vpcEndpointType === "Interface" ? inputs!.subnetIds.length : 0,
    }),
    "aws:route53/zone:Zone": () => ({ hostedZones: 1 }),
    "digitalocean:index/droplet:Droplet": (droplet) => ({
        [nameOf(droplet).includes("-controller-") ? "controllers" : "workers"]: { [droplet.inputs!.size]: 1 },
    }),
    "digitalocean:index/volume:Volume": ({ inputs }) => ({ storage: inputs!.size }),
    "digitalocean:index/loadBalancer:LoadBalancer": ({ inputs }) => ({ loadBalancers: inputs!.sizeUnit ?? 1 }),
};

/** Resource types that are free or priced by usage only; the DNS zone existed before. */
export const free: ReadonlySet<string> = new Set([
    "aws:ec2/egressOnlyInternetGateway:EgressOnlyInternetGateway",
    "aws:ec2/internetGateway:InternetGateway",
    "aws:autoscaling/lifecycleHook:LifecycleHook",
    "aws:ec2/launchTemplate:LaunchTemplate",
    "aws:ec2/route:Route",
    "aws:ec2/routeTable:RouteTable",
    "aws:ec2/routeTableAssociation:RouteTableAssociation",
    "aws:ec2/securityGroup:SecurityGroup",
    "aws:ec2/subnet:Subnet",
    "aws:ec2/volumeAttachment:VolumeAttachment",
    "aws:ec2/vpc:Vpc",
    "aws:iam/instanceProfile:InstanceProfile",
    "aws:iam/openIdConnectProvider:OpenIdConnectProvider",
    "aws:iam/role:Role",
    "aws:iam/rolePolicy:RolePolicy",
    "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
    "aws:lb/listener:Listener",
    "aws:lb/targetGroup:TargetGroup",
    "aws:lb/targetGroupAttachment:TargetGroupAttachment",
    "aws:route53/record:Record",
    "aws:route53/zoneAssociation:ZoneAssociation",
    "aws:s3/bucket:Bucket",
    "aws:s3/bucketObjectv2:BucketObjectv2",
    "aws:s3/bucketPolicy:BucketPolicy",
    "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock",
    "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration",
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule",
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
    // Its storage, 0.06 dollars per gigabyte and month, depends on the size that the import finds.
    "digitalocean:index/customImage:CustomImage",
    "digitalocean:index/dnsRecord:DnsRecord",
    "digitalocean:index/domain:Domain",
    "digitalocean:index/firewall:Firewall",
    "digitalocean:index/project:Project",
    "digitalocean:index/projectResources:ProjectResources",
    // The subscription is per account, regardless of their number.
    "digitalocean:index/spacesBucket:SpacesBucket",
    "digitalocean:index/spacesKey:SpacesKey",
    "digitalocean:index/sshKey:SshKey",
    "digitalocean:index/tag:Tag",
    "digitalocean:index/vpc:Vpc",
]);

/** The priced parts of a stack's cluster. @throws for a cloud resource type in neither list */
export function billOf(resources: readonly Resource[]): Bill {
    const bills = resources
        .filter(({ type }) => cloudOf(type.split(":")[0]!) !== undefined)
        .map((resource) => {
            const price = priced[resource.type];
            if (price) return price(resource, resources);
            if (free.has(resource.type)) return {};
            throw new Error(`cli/verify-cloud/cost/bill-of-stack.ts has no price for ${resource.type}`);
        });
    return sum(bills);
}

/** The initial size, all on demand, because spot instances have no list price. */
function groupOf({ inputs }: Resource, all: readonly Resource[]): Partial<Bill> {
    const { desiredCapacity, launchTemplate, mixedInstancesPolicy, vpcZoneIdentifiers } = inputs!;
    const asked = launchTemplate ?? mixedInstancesPolicy.launchTemplate.launchTemplateSpecification;
    const templateId = asked.id ?? asked.launchTemplateId;
    const find = (of: string, soughtId: string) => all.find(({ type, id }) => type === of && id === soughtId)?.inputs;
    // In a preview no id is known yet.
    const template =
        find("aws:ec2/launchTemplate:LaunchTemplate", templateId) ??
        all.find(({ type }) => type === "aws:ec2/launchTemplate:LaunchTemplate")!.inputs!;
    const instanceType = mixedInstancesPolicy?.launchTemplate.overrides?.[0].instanceType ?? template.instanceType;
    const disks = template.blockDeviceMappings.map(({ ebs }: { ebs: { volumeSize: number } }) => ebs.volumeSize);
    // A subnet that existed before is not in the state: counted as private.
    const subnet = find("aws:ec2/subnet:Subnet", vpcZoneIdentifiers[0]);
    return {
        workers: { [instanceType]: desiredCapacity },
        storage: desiredCapacity * disks.reduce((total: number, each: number) => total + each, 0),
        publicAddresses: subnet?.mapPublicIpOnLaunch ? desiredCapacity : 0,
    };
}

function nameOf({ urn }: Resource): string {
    return urn.slice(urn.lastIndexOf("::") + 2);
}
