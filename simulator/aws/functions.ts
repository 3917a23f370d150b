import type { Properties } from "../plugin";
import type { Account } from "./account";
import { architectureOfImage, descriptionOfImage } from "./offers";

/** The functions that our stack calls. */
export const functions: Readonly<Record<string, (account: Account, args: Properties) => Properties>> = {
    "aws:ec2/getAmi:getAmi": getAmi,
    "aws:ec2/getSubnet:getSubnet": getSubnet,
    "aws:ec2/getVpc:getVpc": getVpc,
    "aws:route53/getZone:getZone": getZone,
};

function getAmi(account: Account, { owners, mostRecent, filters = [] }: Properties): Properties {
    const all = filters as { name: string; values: string[] }[];
    const tells: Record<string, (name: string) => string> = {
        name: (name) => name,
        description: descriptionOfImage,
        architecture: architectureOfImage,
    };
    const unknown = all.find(({ name }) => !tells[name]);
    if (unknown) throw new Error(`the filter ${unknown.name} is not simulated`);
    const found = Object.entries(account.state.amis).filter(([, called]) =>
        all.every(({ name, values }) => values.some((value) => like(value).test(tells[name]!(called)))),
    );
    if (found.length > 1 && mostRecent !== true) throw new Error("Your query returned more than one result");
    const [id, name] = found.at(-1) ?? [];
    if (id === undefined) throw new Error("Your query returned no results. Please change your search criteria");
    return { id, name, architecture: architectureOfImage(name!), ownerId: (owners as string[])[0], mostRecent };
}

/** A filter's value, where a star stands for anything. */
function like(value: string): RegExp {
    return new RegExp(`^${value.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`);
}

function getVpc(account: Account, { id }: Properties): Properties {
    const { cidr } = account.find("vpcs", id);
    return { id, cidrBlock: cidr, enableDnsSupport: true, enableDnsHostnames: true, state: "available" };
}

function getSubnet(account: Account, { id }: Properties): Properties {
    const { vpc, cidr, zone, isPublic = false } = account.find("subnets", id);
    const where = { vpcId: vpc, cidrBlock: cidr, availabilityZone: zone };
    return { id, ...where, mapPublicIpOnLaunch: isPublic, state: "available" };
}

function getZone(account: Account, { name, privateZone }: Properties): Properties {
    const domain = String(name).replace(/\.$/, "");
    const [id] = Object.entries(account.state.zones).find(([, zone]) => zone === domain) ?? [];
    if (id === undefined || privateZone === true) {
        throw new Error(`no matching Route53Zone found: ${name}`);
    }
    return { id, zoneId: id, name: domain, privateZone: false };
}
