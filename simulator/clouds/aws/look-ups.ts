import type { Properties } from "../../plugins/protocol/serve";
import { met } from "../shared/behaviours";
import type { Account } from "./account";
import { isOffered } from "./offers";

/** Functions by which our stack finds out what the account has and takes. */
export const lookUps: Readonly<Record<string, (account: Account, args: Properties) => Properties>> = {
    "aws:autoscaling/getAmiIds:getAmiIds": (account, { names }) => {
        const found = account.all("autoScalingGroups").map(({ name }) => name);
        return { names: found.filter((each) => (names as string[]).includes(each)) };
    },
    "aws:ebs/getDefaultKmsKey:getDefaultKmsKey": ({ state: { defaultKmsKey = "alias/aws/ebs" } }) => {
        return { keyArn: defaultKmsKey };
    },
    "aws:ec2/getEips:getEips": ({ resources }) => ({ allocationIds: Object.keys(resources.addresses) }),
    "aws:ec2/getInstanceTypeOfferings:getInstanceTypeOfferings": getInstanceTypeOfferings,
    "aws:ec2/getLaunchTemplate:getLaunchTemplate": (account, { name }) => {
        const found = account.all("launchTemplates").find((each) => each.name === name);
        if (!found) throw new Error("no matching EC2 Launch Template found");
        return { name };
    },
    "aws:ec2/getVpcs:getVpcs": ({ resources }, { filters = [] }) => {
        const keys = (filters as { values: string[] }[]).flatMap(({ values }) => values);
        const all = Object.entries(resources.vpcs).filter(([, { tags = {} }]) => keys.every((key) => key in tags));
        return { ids: all.map(([id]) => id) };
    },
    "aws:lb/getLbs:getLbs": ({ resources }) => ({ arns: Object.keys(resources.loadBalancers) }),
    "aws:lb/getLoadBalancer:getLoadBalancer": (account, { name }) => {
        const found = account.all("loadBalancers").find((each) => each.name === name);
        if (!found) throw new Error("reading ELBv2 Load Balancers: couldn't find resource");
        return { name, vpcId: found.vpc, subnets: found.subnets };
    },
    "aws:lb/getTargetGroup:getTargetGroup": (account, { name }) => {
        const found = account.all("targetGroups").find((each) => each.name === name);
        if (!found) throw new Error("no matching ELBv2 Target Group found");
        return { name };
    },
    "aws:route53/getRecords:getRecords": ({ resources }, { zoneId, nameRegex }) => {
        const pattern = new RegExp(String(nameRegex));
        const all = Object.entries(resources.records).filter(([id, { name }]) => {
            return id.startsWith(`${zoneId}_`) && pattern.test(`${name}.`);
        });
        const sets = all.map(([id, { name }]) => ({ name: `${name}.`, type: id.split("_").at(-1) }));
        return { zoneId, resourceRecordSets: sets };
    },
    "aws:s3/getBucket:getBucket": ({ resources, state: { foreignBuckets = [] } }, { bucket }) => {
        const name = String(bucket);
        if (foreignBuckets.includes(name)) {
            throw new Error(
                `reading S3 Bucket (${name}): operation error S3: HeadBucket, https response error StatusCode: 403, api error Forbidden: Forbidden`,
            );
        }
        if (!resources.buckets[name]) throw new Error(`reading S3 Bucket (${name}): couldn't find resource`);
        return { bucket: name, arn: `arn:aws:s3:::${name}` };
    },
    "aws:servicequotas/getServiceQuota:getServiceQuota": ({ state: { quotas = {} } }, { quotaCode }) => {
        const code = String(quotaCode);
        const value = quotas[code] ?? usualQuotas[code];
        if (value === undefined) throw new Error(`the quota ${code} is not simulated`);
        if (quotas[code] !== undefined) met("quota");
        return { quotaCode: code, value };
    },
};

/** Of VPCs, Elastic IP addresses and Network Load Balancers in a region. Source: Service Quotas of AWS. */
const usualQuotas: Readonly<Record<string, number>> = { "L-F678F1CE": 5, "L-0263D0A3": 5, "L-69A177A2": 50 };

function getInstanceTypeOfferings(account: Account, { locationType, filters }: Properties): Properties {
    if (locationType !== "availability-zone") throw new Error(`offerings by ${locationType} are not simulated`);
    const { region, zoneLetters = ["a", "b", "c"] } = account.state;
    const [{ values: types }] = filters as [{ values: string[] }];
    const all = zoneLetters.flatMap((letter) => types.map((type) => ({ zone: region + letter, type })));
    const offered = all.filter(({ zone, type }) => isOffered(account, zone, type));
    return { locations: offered.map(({ zone }) => zone), instanceTypes: offered.map(({ type }) => type) };
}
