import type { Properties } from "../../plugins/protocol/serve";
import { hashedUserData } from "../shared/user-data";

/** Outputs of a resource in addition to its inputs; for our own resources, those that our stacks read. */
export function outputsOf(type: string, name: string, inputs: Properties): Properties {
    // Controllers of a cluster are numbered, and no two share an address.
    const number = Number(/\d+$/.exec(name)?.[0] ?? 0);
    switch (type) {
        case "aws:ec2/instance:Instance":
            return { privateIp: `10.0.0.${10 + number}` };
        case "aws:ec2/natGateway:NatGateway":
            return { publicIp: `203.0.113.${name.charCodeAt(name.length - 1)}` };
        case "aws:ec2/launchTemplate:LaunchTemplate":
            return { latestVersion: 1 };
        case "aws:ec2/vpc:Vpc":
            return inputs.assignGeneratedIpv6CidrBlock ? { ipv6CidrBlock: "2001:db8:1000:1a00::/56" } : {};
        case "aws:iam/role:Role":
        case "aws:iam/instanceProfile:InstanceProfile":
            return { id: name, name, arn: arn(name) };
        case "aws:lb/loadBalancer:LoadBalancer":
            return { arn: arn(name), dnsName: `${name}.elb.amazonaws.com`, zoneId: "Z0PAPER" };
        case "aws:lb/targetGroup:TargetGroup":
        case "aws:s3/bucket:Bucket":
            return { arn: arn(name) };
        case "aws:route53/zone:Zone":
            return { zoneId: "Z0PAPER" };
        case "command:local:Command":
            return { stdout: /^echo (.*)$/.exec(String(inputs.create))?.[1] ?? "2030-01-01T00:00:00Z" };
        case "digitalocean:index/droplet:Droplet":
            return {
                id: String(1000 + number),
                dropletUrn: `do:droplet:${1000 + number}`,
                ipv4Address: `198.51.100.${10 + number}`,
                ipv4AddressPrivate: `172.24.0.${10 + number}`,
                ...(inputs.ipv6 ? { ipv6Address: `2001:db8::${10 + number}` } : {}),
                ...hashedUserData(inputs),
            };
        case "digitalocean:index/customImage:CustomImage":
            return { imageId: 180000001 };
        case "digitalocean:index/loadBalancer:LoadBalancer":
            return { ip: "203.0.113.7", loadBalancerUrn: `do:loadbalancer:${name}` };
        case "digitalocean:index/spacesBucket:SpacesBucket":
            return { bucketUrn: `do:space:${name}` };
        case "digitalocean:index/spacesKey:SpacesKey":
            return { accessKey: "DO00PAPER", secretKey: "a-secret-on-paper" };
        case "digitalocean:index/volume:Volume":
            return { volumeUrn: `do:volume:${name}` };
        default:
            return {};
    }
}

/** A cloud's answers about existing resources. */
export function answerOf(token: string, args: Properties): Properties {
    switch (token) {
        case "aws:ec2/getAmi:getAmi":
            return { id: "ami-0123456789abcdef0", rootDeviceName: "/dev/xvda" };
        case "aws:index/getDefaultTags:getDefaultTags":
            return { tags: {} };
        case "aws:index/getAvailabilityZones:getAvailabilityZones":
            return { names: zones };
        case "aws:route53/getZone:getZone":
            return { id: "Z1", zoneId: "Z1", nameServers: [] };
        // No name is taken, and every type is offered, without a limit.
        case "aws:autoscaling/getAmiIds:getAmiIds":
            return { names: [] };
        case "aws:ebs/getDefaultKmsKey:getDefaultKmsKey":
            return { keyArn: "alias/aws/ebs" };
        case "aws:ec2/getEips:getEips":
            return { allocationIds: [] };
        case "aws:ec2/getInstance:getInstance":
            throw new Error("Your query returned no results");
        case "aws:ec2/getInstanceTypeOfferings:getInstanceTypeOfferings":
            return everyOffer(args);
        case "aws:ec2/getVpcs:getVpcs":
            return { ids: [] };
        case "aws:lb/getLbs:getLbs":
            return { arns: [] };
        case "aws:ec2/getLaunchTemplate:getLaunchTemplate":
        case "aws:lb/getLoadBalancer:getLoadBalancer":
        case "aws:lb/getTargetGroup:getTargetGroup":
        case "aws:s3/getBucket:getBucket":
            throw new Error("couldn't find resource");
        case "aws:route53/getRecords:getRecords":
            return { resourceRecordSets: [] };
        case "aws:servicequotas/getServiceQuota:getServiceQuota":
            return { value: 1000 };
        // A dry run has every size, key and domain, without a limit.
        case "digitalocean:index/getAccount:getAccount":
        case "digitalocean:index/getDomain:getDomain":
        case "digitalocean:index/getSizes:getSizes":
        case "digitalocean:index/getSshKeys:getSshKeys":
            return {};
        case "digitalocean:index/getDroplets:getDroplets":
            return { droplets: [] };
        case "digitalocean:index/getImage:getImage":
            return { name: "an image", regions: ["ams3", "fra1", "nyc3", "sgp1"], status: "available", minDiskSize: 9 };
        case "digitalocean:index/getProject:getProject":
            return { id: "4e1bfbc3-dc3e-41f2-a18f-1b4d7ba71679" };
        // No name is taken.
        case "digitalocean:index/getRecords:getRecords":
            return { records: [] };
        case "digitalocean:index/getLoadBalancer:getLoadBalancer":
        case "digitalocean:index/getSpacesBucket:getSpacesBucket":
        case "digitalocean:index/getVolume:getVolume":
            throw new Error("not found");
        case "digitalocean:index/getVpc:getVpc":
            if (args.name !== undefined) throw new Error("not found");
            return {
                id: "5a4981aa-9653-4bd1-bef5-d6bff52042e4",
                name: "default-fra1",
                ipRange: "10.114.0.0/20",
                default: true,
            };
        default:
            throw new Error(`a dry run has no answer for ${token}`);
    }
}

const zones = ["a", "b", "c"].map((letter) => `eu-central-1${letter}`);

function everyOffer({ filters }: Properties): Properties {
    const [{ values: types }] = filters as [{ values: string[] }];
    const all = zones.flatMap((zone) => types.map((type) => [zone, type] as const));
    return { locations: all.map(([zone]) => zone), instanceTypes: all.map(([, type]) => type) };
}

function arn(name: string): string {
    return `arn:aws:paper:eu-central-1:123456789012:${name}`;
}
