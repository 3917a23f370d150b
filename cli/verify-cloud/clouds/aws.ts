import { awsAccount } from "../account/aws";
import { type Bill, monthlyHours as hours, type Resource, type VerifiedCloud } from "./facts";

/** The next instance only has to boot before the old one is terminated, as the only pods were those of checks. */
const warmup = "1m";

/** Whose prices are known: US East (N. Virginia). */
export const awsPriceRegion = "us-east-1";

export const aws: VerifiedCloud = {
    credentials: "AWS_PROFILE or AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY",
    region: { key: "aws:region", variable: "AWS_REGION" },
    accountKeys:
        /^aws:(profile|accessKey|secretKey|token|assumeRoles?|assumeRoleWithWebIdentity|sharedCredentialsFiles|sharedConfigFiles|endpoints)$/,
    account: awsAccount,
    // A pool's group only replaces its instances if that is configured.
    replacing: ({ instanceRefresh = { warmup } }) => ({ pool: { instanceRefresh } }),
    questions: [
        {
            question: "Do HTTPS health checks of network load balancers accept ECDSA certificates?",
            step: "target health",
            isTried: (config) => config["tradewind:apiHealthCheck"] !== "tcp",
            how: "no `apiHealthCheck: tcp`",
        },
    ],
    // For {@link awsPriceRegion}, regardless of the region.
    prices: {
        // github.com/aws/karpenter-provider-aws, zz_generated.pricing_aws.go: "generated at 2026-01-19 for us-east-1"
        machines: {
            "t3.small": 0.0208 * hours,
            "t3.medium": 0.0416 * hours,
            "t4g.medium": 0.0336 * hours,
        },
        // gp3, in AWS' price list: "$0.08 per GB-month of General Purpose (gp3) provisioned storage - US East (N. Virginia)",
        // as quoted in public repositories up to 2026.
        storage: 0.08,
        // AWS' price list AmazonVPC, version 20260831092232: "$0.005 per In-use public IPv4 address per hour"
        publicAddress: 0.005 * hours,
        // cloudburn.io/blog/aws-nat-gateway-pricing of 2026-02-24: $0.045/hour in US East
        natGateway: 0.045 * hours,
        // clustercost.com/blog/network-load-balancer-pricing-2025: $0.0225 per hour in us-east-1
        loadBalancer: 0.0225 * hours,
        // cloudcostkit.com/calculators/aws-vpc-interface-endpoint-cost-calculator of 2026-01-29: 4,378 endpoint-hours, $43.78
        endpoint: 0.01 * hours,
        // Route 53's price page, as quoted in github.com/api-evangelist/amazon-route53-resolver on 2026-09-20: "$0.50 per
        // hosted zone per month for the first 25 hosted zones"
        hostedZone: 0.5,
    },
    priced: {
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
    },
    free: [
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
    ],
};

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
