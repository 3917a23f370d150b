import type { Properties } from "../../plugins/protocol/serve";
import { met } from "../shared/behaviours";
import type { Account } from "./account";
import type { Tags } from "./created";
import { lookUps } from "./look-ups";
import {
    architectureOfImage,
    descriptionOfImage,
    privateZones,
    publicNameServers,
    publicZones,
    rootDeviceOfImage,
    zoneOf,
} from "./offers";

/** The functions that our stack calls. */
export const functions: Readonly<
    Record<string, (account: Account, args: Properties, defaultTags?: Tags) => Properties>
> = {
    "aws:ec2/getAmi:getAmi": getAmi,
    "aws:ec2/getInstance:getInstance": getInstance,
    "aws:index/getAvailabilityZones:getAvailabilityZones": getAvailabilityZones,
    "aws:index/getDefaultTags:getDefaultTags": (_, __, tags = {}) => ({ id: "aws", tags }),
    ...lookUps,
    "aws:ec2/getSecurityGroup:getSecurityGroup": getSecurityGroup,
    "aws:ec2/getSubnet:getSubnet": getSubnet,
    "aws:ec2/getVpc:getVpc": getVpc,
    "aws:ec2/getVpcDhcpOptions:getVpcDhcpOptions": getVpcDhcpOptions,
    "aws:route53/getZone:getZone": getZone,
};

function getAmi(account: Account, { owners, mostRecent, includeDeprecated, filters = [] }: Properties): Properties {
    const { amis, amiDates = {}, deprecatedAmis = [] } = account.state;
    const all = filters as { name: string; values: string[] }[];
    const texts: Record<string, (name: string, id: string) => string> = {
        "image-id": (_, id) => id,
        name: (name) => name,
        description: descriptionOfImage,
        architecture: architectureOfImage,
    };
    const unknown = all.find(({ name }) => !texts[name]);
    if (unknown) throw new Error(`the filter ${unknown.name} is not simulated`);
    const now = new Date().toISOString();
    const isDeprecated = (each: string) =>
        deprecatedAmis.includes(each) || (amiDates[each]?.deprecated ?? "9999") <= now;
    if (Object.keys(amis).some(isDeprecated)) met("deprecated image");
    const listed = Object.entries(amis).filter(([each]) => includeDeprecated === true || !isDeprecated(each));
    const found = listed.filter(([found, called]) =>
        all.every(({ name, values }) => values.some((value) => like(value).test(texts[name]!(called, found)))),
    );
    if (found.length > 1 && mostRecent !== true) throw new Error("Your query returned more than one result");
    const [id, name] = found.at(-1) ?? [];
    if (id === undefined) throw new Error("Your query returned no results. Please change your search criteria");
    const rootDeviceName = rootDeviceOfImage(name!);
    const { created = now, deprecated = isDeprecated(id) ? now : "" } = amiDates[id] ?? {};
    return {
        id,
        creationDate: created,
        deprecationTime: deprecated,
        name,
        architecture: architectureOfImage(name!),
        rootDeviceName,
        ownerId: (owners as string[] | undefined)?.[0],
    };
}

/** One of the stack's by its tags; a terminated one is no longer in the account. */
function getInstance(account: Account, { filters = [] }: Properties): Properties {
    const conditions = (filters as { name: string; values: string[] }[]).filter(
        ({ name }) => name !== "instance-state-name",
    );
    const unknown = conditions.find(({ name }) => !name.startsWith("tag:"));
    if (unknown) throw new Error(`the filter ${unknown.name} is not simulated`);
    const found = Object.entries(account.resources.instances).filter(([, { tags = {} }]) =>
        conditions.every(({ name, values }) => values.includes(tags[name.slice("tag:".length)] ?? "")),
    );
    if (found.length > 1) throw new Error("Your query returned more than one result");
    const [id, instance] = found[0] ?? [];
    if (id === undefined) throw new Error("Your query returned no results. Please change your search criteria");
    return { id, instanceType: instance?.spec?.instanceType, ami: instance?.spec?.ami };
}

/** All availability zones of the account, if not filtered by state. */
function getAvailabilityZones(
    { state: { region, zoneLetters = ["a", "b", "c"] } }: Account,
    args: Properties,
): Properties {
    const [unknown] = Object.keys(args);
    if (unknown) throw new Error(`${unknown} of availability zones is not simulated`);
    return { id: region, names: zoneLetters.map((letter) => `${region}${letter}`) };
}

/** A filter's value, in which an asterisk matches anything. */
function like(value: string): RegExp {
    return new RegExp(`^${value.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`);
}

function getVpc(account: Account, { id }: Properties): Properties {
    const { cidr, ipv6Cidr = "" } = account.find("vpcs", id);
    return {
        id,
        cidrBlock: cidr,
        ipv6CidrBlock: ipv6Cidr,
        enableDnsSupport: true,
        enableDnsHostnames: true,
        dhcpOptionsId: defaultDhcpOptions,
        state: "available",
    };
}

/** Of every VPC that has no others. */
const defaultDhcpOptions = "dopt-0123456789abcdef0";

function getVpcDhcpOptions({ state: { region } }: Account, { dhcpOptionsId }: Properties): Properties {
    if (dhcpOptionsId !== defaultDhcpOptions) throw new Error(`no matching EC2 DHCP Options Set found`);
    const domainName = region === "us-east-1" ? "ec2.internal" : `${region}.compute.internal`;
    return { id: dhcpOptionsId, dhcpOptionsId, domainName, domainNameServers: ["AmazonProvidedDNS"] };
}

function getSecurityGroup(account: Account, { id }: Properties): Properties {
    const { name, vpc, description = "" } = account.find("securityGroups", id);
    return { id, name, vpcId: vpc, description };
}

function getSubnet(account: Account, { id }: Properties): Properties {
    const { vpc, cidr, zone, isPublic = false, ipv6Cidr = "", givesIpv6 = false } = account.find("subnets", id);
    const ipv6 = { ipv6CidrBlock: ipv6Cidr, assignIpv6AddressOnCreation: givesIpv6 };
    const where = { vpcId: vpc, cidrBlock: cidr, availabilityZone: zone, ...ipv6 };
    return { id, ...where, mapPublicIpOnLaunch: isPublic, state: "available" };
}

/** By id or by name, as a public zone or the private zone of a VPC. */
function getZone(account: Account, { zoneId, name, privateZone, vpcId }: Properties): Properties {
    const answer = (id: string) => {
        const { name: domain, vpcs } = zoneOf(account, id);
        const nameServers = vpcs ? [] : [...publicNameServers];
        return { id, zoneId: id, name: domain, privateZone: vpcs !== undefined, nameServers };
    };
    if (zoneId !== undefined) return answer(String(zoneId));
    const domain = String(name).replace(/\.$/, "");
    const isIt =
        vpcId === undefined
            ? Object.entries(publicZones(account)).filter(([, zone]) => zone === domain && privateZone !== true)
            : Object.entries(privateZones(account)).filter(
                  ([, zone]) => zone.name === domain && zone.vpcs.includes(String(vpcId)),
              );
    if (isIt.length > 1) throw new Error("multiple Route53Zone found please use vpc_id option to filter");
    const [found] = isIt;
    if (!found) throw new Error(`no matching Route53Zone found: ${name}`);
    return answer(found[0]);
}
