import type { Properties } from "../../plugins/protocol/serve";
import { missing, type OnPaper } from "../shared/on-paper";

const withArn = ({ name }: { readonly name: string }) => ({ arn: arn(name) });
const withId = ({ name }: { readonly name: string }) => ({ id: name, name, arn: arn(name) });

export const aws: OnPaper = {
    created: {
        "aws:ec2/instance:Instance": ({ number }) => ({ privateIp: `10.0.0.${10 + number}` }),
        "aws:ec2/natGateway:NatGateway": ({ name }) => ({ publicIp: `203.0.113.${name.charCodeAt(name.length - 1)}` }),
        "aws:ec2/launchTemplate:LaunchTemplate": () => ({ latestVersion: 1 }),
        "aws:ec2/vpc:Vpc": ({ inputs }) =>
            inputs.assignGeneratedIpv6CidrBlock ? { ipv6CidrBlock: "2001:db8:1000:1a00::/56" } : {},
        "aws:iam/role:Role": withId,
        "aws:iam/instanceProfile:InstanceProfile": withId,
        "aws:lb/loadBalancer:LoadBalancer": ({ name }) => ({
            ...{ arn: arn(name), dnsName: `${name}.elb.amazonaws.com`, zoneId: "Z0PAPER" },
        }),
        "aws:lb/targetGroup:TargetGroup": withArn,
        "aws:s3/bucket:Bucket": withArn,
        "aws:route53/zone:Zone": () => ({ zoneId: "Z0PAPER" }),
    },
    // No name is taken, and every type is offered, without a limit.
    found: {
        "aws:ec2/getAmi:getAmi": () => ({ id: "ami-0123456789abcdef0", rootDeviceName: "/dev/xvda" }),
        "aws:index/getDefaultTags:getDefaultTags": () => ({ tags: {} }),
        "aws:index/getAvailabilityZones:getAvailabilityZones": () => ({ names: zones }),
        "aws:route53/getZone:getZone": () => ({ id: "Z1", zoneId: "Z1", nameServers: [] }),
        "aws:autoscaling/getAmiIds:getAmiIds": () => ({ names: [] }),
        "aws:ebs/getDefaultKmsKey:getDefaultKmsKey": () => ({ keyArn: "alias/aws/ebs" }),
        "aws:ec2/getEips:getEips": () => ({ allocationIds: [] }),
        "aws:ec2/getInstance:getInstance": missing("Your query returned no results"),
        "aws:ec2/getInstanceTypeOfferings:getInstanceTypeOfferings": everyOffer,
        "aws:ec2/getVpcs:getVpcs": () => ({ ids: [] }),
        "aws:lb/getLbs:getLbs": () => ({ arns: [] }),
        "aws:ec2/getLaunchTemplate:getLaunchTemplate": missing("couldn't find resource"),
        "aws:lb/getLoadBalancer:getLoadBalancer": missing("couldn't find resource"),
        "aws:lb/getTargetGroup:getTargetGroup": missing("couldn't find resource"),
        "aws:s3/getBucket:getBucket": missing("couldn't find resource"),
        "aws:route53/getRecords:getRecords": () => ({ resourceRecordSets: [] }),
        "aws:servicequotas/getServiceQuota:getServiceQuota": () => ({ value: 1000 }),
    },
};

const zones = ["a", "b", "c"].map((letter) => `eu-central-1${letter}`);

function everyOffer({ filters }: Properties): Properties {
    const [{ values: types }] = filters as [{ values: string[] }];
    const all = zones.flatMap((zone) => types.map((type) => [zone, type] as const));
    return { locations: all.map(([zone]) => zone), instanceTypes: all.map(([, type]) => type) };
}

function arn(name: string): string {
    return `arn:aws:paper:eu-central-1:123456789012:${name}`;
}
