import { isObject } from "../../plugins/protocol/serve";
import { listOf, type Rule, text } from "../shared/inputs";
import { applyFilters, type PacketFilter } from "../shared/packet-filter";
import type { Account, Instance, Resources, SecurityRule } from "./account";
import { balancersOf } from "./balancing";

/** Tags as every service accepts them: at most fifty, none of AWS's own. */
export const tags: Rule = {
    legal: "at most 50 tags with keys of 1 to 128 characters that do not begin with aws:",
    isLegal: (value: unknown) => isObject(value) && isTags(value),
};

function isTags(value: Record<string, unknown>): boolean {
    const entries = Object.entries(value);
    return entries.length <= 50 && entries.every(([key, each]) => isTag(key, each));
}

export function isTag(key: unknown, value: unknown): boolean {
    return /^(?!aws:).{1,128}$/.test(String(key)) && typeof value === "string" && value.length <= 256;
}

/** The id of a resource: `id("vpc")` is that of `vpc-0123456789abcdef0`. */
export function id(prefix: string, more: Partial<Rule> = {}): Rule {
    return text(`an id ${prefix}-...`, idPattern(prefix), more);
}

export function ids(prefix: string, more: Partial<Rule> = {}): Rule {
    return listOf(`ids ${prefix}-...`, (value: unknown) => idPattern(prefix).test(String(value)), more);
}

export function arn(service: string, more: Partial<Rule> = {}): Rule {
    return text(`an ARN of ${service}`, new RegExp(`^arn:aws:${service}:`), more);
}

function idPattern(prefix: string): RegExp {
    return new RegExp(`^${prefix}-[0-9a-f]{8,17}$`);
}

export function wholeNumber(least: number, most: number, more: Partial<Rule> = {}): Rule {
    return {
        legal: `a whole number from ${least} to ${most}`,
        isLegal: (value: unknown) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
        ...more,
    };
}

export const yesOrNo: Rule = { legal: "true or false", isLegal: (value: unknown) => typeof value === "boolean" };

/** An object with exactly these properties, each of which is one of the simulated values. */
export function exactly(values: Readonly<Record<string, (value: unknown) => boolean>>, more: Partial<Rule> = {}): Rule {
    return {
        legal: `an object of ${Object.keys(values).join(", ")} with simulated values`,
        isLegal: (value: unknown) => has(value, values),
        ...more,
    };
}

/** Whether a value is an object with exactly these properties, all valid. */
export function has(value: unknown, values: Readonly<Record<string, (value: unknown) => boolean>>): boolean {
    if (!isObject(value)) return false;
    const given = Object.keys(value).filter((key) => value[key] !== undefined);
    return given.every((key) => key in values) && Object.entries(values).every(([key, isLegal]) => isLegal(value[key]));
}

export const is =
    (...legal: unknown[]) =>
    (value: unknown): boolean =>
        legal.includes(value);

export const isNumberOf =
    (least: number, most: number) =>
    (value: unknown): boolean =>
        Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

/** Updates the packet filter of every instance. */
export function applySecurityGroups(account: Account): Promise<void> {
    return applyFilters(() => {
        const { resources } = account;
        return Object.values(resources.instances).map((instance) => filterOf(resources, instance));
    });
}

/** Neighbor discovery, which security groups do not filter: the network answers it. */
const discovery = "icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert }";

/**
 * What an instance allows in by the rules of its groups (nothing without a group); outgoing traffic of each family is
 * allowed entirely or not at all.
 */
export function filterOf(resources: Resources, instance: Instance): PacketFilter {
    const rules = Object.values(resources.securityRules).filter(({ group }) => instance.groups.includes(group));
    const letsOut = (all: string) =>
        rules.some(({ isIngress, protocol, cidr }) => !isIngress && protocol === "-1" && cidr === all);
    const letIn = rules.filter(({ isIngress }) => isIngress).flatMap((rule) => lines(resources, rule));
    return {
        network: resources.vpcs[instance.vpc]!.name,
        machine: instance.machine,
        accepted: instance.address6 ? [...letIn, discovery] : letIn,
        letsOut: letsOut("0.0.0.0/0"),
        letsOutIpv6: letsOut("::/0"),
    };
}

function lines(resources: Resources, rule: SecurityRule): string[] {
    const { protocol, fromPort, toPort, cidr, peer } = rule;
    const members: readonly Pick<Instance, "groups" | "address" | "address6">[] = [
        ...Object.values(resources.instances),
        ...balancersOf(resources),
    ];
    const sources = peer
        ? members.filter(({ groups }) => groups.includes(peer)).flatMap(sourcesOf)
        : [`${cidr!.includes(":") ? "ip6" : "ip"} saddr ${cidr}`];
    const what =
        { icmp: "meta l4proto icmp", icmpv6: "meta l4proto icmpv6", "-1": "" }[protocol] ??
        `${protocol} dport ${fromPort}-${toPort}`;
    // A protocol of one family says nothing about the other.
    const isOther = (source: string) => source.startsWith(protocol === "icmp" ? "ip6 " : "ip ");
    const fitting = protocol.startsWith("icmp") ? sources.filter((source) => !isOther(source)) : sources;
    return fitting.map((source) => `${source} ${what}`.trim());
}

/** A group as a peer stands for all addresses of its members. */
function sourcesOf({ address, address6 }: Pick<Instance, "address" | "address6">): string[] {
    return [`ip saddr ${address}`, ...(address6 ? [`ip6 saddr ${address6}`] : [])];
}
