import { AwsCluster, type AwsClusterArgs } from "../../../../components/aws/cluster";
import { deploy } from "../../deploy";
import { downloads } from "../in-cluster/fixture";
import { providerOutputs } from "../in-cluster/provider-outputs";

const args: AwsClusterArgs = {
    domain: "example.com",
    region: "eu-central-1",
    tags: { team: "infra" },
    downloads,
};

/** Outputs of the providers, distinguished by name. */
function outputsOf(resource: { type: string; name: string; inputs: Record<string, unknown> }): object {
    const { type, name, inputs } = resource;
    switch (type) {
        case "aws:ec2/instance:Instance":
            return { privateIp: `10.0.0.${10 + Number(name.at(-1))}` };
        case "aws:ec2/natGateway:NatGateway":
            return { publicIp: `203.0.113.${name.charCodeAt(name.length - 1)}` };
        case "aws:ec2/vpc:Vpc":
            return { ipv6CidrBlock: inputs.assignGeneratedIpv6CidrBlock ? "2001:db8:1234:1a00::/56" : "" };
        case "aws:lb/loadBalancer:LoadBalancer":
            return { arn: "lb-arn", dnsName: "c-api-1.elb.amazonaws.com", zoneId: "ZNLB" };
        case "command:local:Command":
            return name.includes("-image-") ? { stdout: "ami-0123456789abcdef0\n" } : providerOutputs(resource);
        case "aws:lb/targetGroup:TargetGroup":
            return { arn: `targets-arn ${name}` };
        case "aws:iam/role:Role":
            return { name: `${name}-1a2b3c4` };
        case "aws:iam/instanceProfile:InstanceProfile":
            return { name: `${name}-1a2b3c4`, arn: `profile-arn ${name}` };
        case "aws:route53/zone:Zone":
            return { zoneId: "ZOWN" };
        case "aws:s3/bucket:Bucket":
            return { arn: `arn:aws:s3:::${name}` };
        case "aws:ec2/launchTemplate:LaunchTemplate":
            return { latestVersion: 1 };
        default:
            return providerOutputs(resource);
    }
}

/** Tags of `aws:defaultTags`. */
let defaultTags: Readonly<Record<string, string>> = {};

/** The same as `deployAws`, with default tags of the provider. */
export async function deployWithDefaultTags(tags: Readonly<Record<string, string>>, options: Partial<AwsClusterArgs>) {
    defaultTags = tags;
    try {
        return await deployAws(options);
    } finally {
        defaultTags = {};
    }
}

/**
 * Registers a cluster `c` with minimal options, and more.
 *
 * @param ofInstances - outputs of an instance.
 * @default its inputs
 */
export function deployAws(options: Partial<AwsClusterArgs> = {}, isPreview = false, ofInstances: object = {}) {
    const made: typeof outputsOf = (resource) => ({
        ...outputsOf(resource),
        ...(resource.type === "aws:ec2/instance:Instance" && ofInstances),
    });
    const outputs = isPreview ? () => ({}) : made;
    return deploy(() => new AwsCluster("c", { ...args, ...options }), { outputs, answer, isPreview });
}

const zones: Readonly<Record<string, object>> = {
    Z1: { zoneId: "Z1", name: "example.com", privateZone: false },
    ZTHEIRS: { zoneId: "ZTHEIRS", name: "example.com", privateZone: true },
    ZUNSEEN: { zoneId: "ZUNSEEN", name: "example.com", privateZone: true },
};

/** Without e, and with a local zone, which has no letter. */
const zonesOf = ["eu-central-1", "us-east-1"].flatMap((region) =>
    [..."abcdfgh", "-lax-1a"].map((end) => `${region}${end}`),
);

/** Responses of AWS: subnets are in the zone that their id ends with. */
function answer({ token, inputs }: { token: string; inputs: Record<string, string> }): object {
    const { id = "", zoneId, vpcId } = inputs;
    switch (token) {
        case "aws:ec2/getAmi:getAmi":
            if (JSON.stringify(inputs).includes("Flatcar-lts")) throw refusal("Your query returned no results");
            if (JSON.stringify(inputs).includes("ami-0123456789abcde00")) {
                throw refusal("Your query returned no results");
            }
            if (JSON.stringify(inputs).includes("ami-0123456789abcde01")) throw refusal("UnauthorizedOperation");
            return { id: "ami-0123456789abcdef0", rootDeviceName: "/dev/sda1" };
        case "aws:ec2/getInstance:getInstance":
            throw refusal("Your query returned no results");
        case "aws:index/getDefaultTags:getDefaultTags":
            return { tags: defaultTags };
        case "aws:index/getAvailabilityZones:getAvailabilityZones":
            return { names: zonesOf };
        case "aws:ec2/getVpc:getVpc":
            return {
                id,
                cidrBlock: "10.40.0.0/16",
                ipv6CidrBlock: "2001:db8:4000:1a00::/56",
                enableDnsSupport: true,
                enableDnsHostnames: true,
                dhcpOptionsId: id,
            };
        case "aws:ec2/getVpcDhcpOptions:getVpcDhcpOptions":
            if (inputs.dhcpOptionsId!.endsWith("d")) throw refusal("UnauthorizedOperation");
            return inputs.dhcpOptionsId!.endsWith("c")
                ? { domainName: "corp.example eu-central-1.compute.internal" }
                : { domainName: "eu-central-1.compute.internal" };
        case "aws:ec2/getSecurityGroup:getSecurityGroup":
            return { id, vpcId: id.endsWith("0") ? "vpc-0123456789abcdef0" : "vpc-0123456789abcdef9" };
        case "aws:ec2/getSubnet:getSubnet": {
            const at = { availabilityZone: `eu-central-1${id.at(-1)}`, cidrBlock: "10.40.0.0/20" };
            // Only those of c have IPv6.
            const ipv6 = id.startsWith("subnet-c")
                ? { ipv6CidrBlock: "2001:db8:4000:1a01::/64", assignIpv6AddressOnCreation: true }
                : { ipv6CidrBlock: "", assignIpv6AddressOnCreation: false };
            const mapPublicIpOnLaunch = /^subnet-[ac]/.test(id);
            const vpc = /^subnet-a00000([cd])a$/.exec(id)?.[1] ?? "0";
            return { id, vpcId: `vpc-0123456789abcdef${vpc}`, ...at, mapPublicIpOnLaunch, ...ipv6 };
        }
        // An account that has nothing, where every type is offered.
        case "aws:lb/getLoadBalancer:getLoadBalancer":
        case "aws:lb/getTargetGroup:getTargetGroup":
        case "aws:s3/getBucket:getBucket":
        case "aws:ec2/getLaunchTemplate:getLaunchTemplate":
            throw refusal("couldn't find resource");
        case "aws:ec2/getInstanceTypeOfferings:getInstanceTypeOfferings": {
            const [{ values: types }] = inputs.filters as unknown as [{ values: string[] }];
            const all = zonesOf.flatMap((zone) => types.map((type) => [zone, type]));
            return { locations: all.map(([zone]) => zone), instanceTypes: all.map(([, type]) => type) };
        }
        case "aws:autoscaling/getAmiIds:getAmiIds":
        case "aws:ec2/getEips:getEips":
        case "aws:ec2/getVpcs:getVpcs":
        case "aws:lb/getLbs:getLbs":
        case "aws:route53/getRecords:getRecords":
            return { names: [], allocationIds: [], ids: [], arns: [], resourceRecordSets: [] };
        case "aws:ebs/getDefaultKmsKey:getDefaultKmsKey":
            return { keyArn: "alias/aws/ebs" };
        case "aws:servicequotas/getServiceQuota:getServiceQuota":
            return { value: 10 };
        case "aws:route53/getZone:getZone":
            return zoneId === undefined ? { zoneId: vpcId ? "ZTHEIRS" : "Z1" } : zones[zoneId]!;
        default:
            throw new Error(`no result for ${token}`);
    }
}

/** An error as sent over the wire: the SDK ignores others. */
const refusal = (message: string) => Object.assign(new Error(message), { details: message });
