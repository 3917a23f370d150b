import type { types } from "@pulumi/digitalocean";
import type * as pulumi from "@pulumi/pulumi";
import { parseCidr, parseCidr6 } from "../../cluster/network/cidr";
import { conflictsWith, invalid, mustNot, requireMatch, requireOneOf } from "../../cluster/validate";
import type { DigitalOceanFirewallRule } from "./options";

/** Machines that a rule of the user's applies to. */
export const roles = ["all", "controllers", "workers"] as const;
export type Role = (typeof roles)[number];

/** A validated rule. */
export interface OwnRule {
    readonly role: Role;
    readonly protocol: "tcp" | "udp" | "icmp";
    /** @default all of the protocol */
    readonly ports?: string;
    readonly cidrs: readonly string[];
    /** Whether the cluster's own nodes are among the sources. */
    readonly fromNodes: boolean;
}

/** Throws `firewallRules[0]... must be <legal> (got <value>)`. */
export function requireRules(rules: readonly DigitalOceanFirewallRule[] = []): OwnRule[] {
    return rules.map(({ role = "all", protocol = "tcp", ports, sources }, index) => {
        const option = `firewallRules[${index}]`;
        const kind = requireOneOf(`${option}.protocol`, ["tcp", "udp", "icmp"] as const, protocol);
        if (kind === "icmp" && ports !== undefined) throw conflictsWith(`${option}.ports`, "icmp", ports);
        if (kind !== "icmp") requirePorts(`${option}.ports`, ports ?? "");
        if (sources.length === 0) throw mustNot(`${option}.sources`, "be empty");
        const cidrs = sources.filter((each) => each !== "nodes");
        cidrs.forEach((cidr, at) => {
            const source = `${option}.sources[${at}]`;
            if (cidr !== "::/0") (cidr.includes(":") ? parseCidr6 : parseCidr)(source, cidr);
        });
        const fromNodes = cidrs.length < sources.length;
        const applies = requireOneOf(`${option}.role`, roles, role);
        return { role: applies, protocol: kind, ...(ports !== undefined && { ports }), cidrs, fromNodes };
    });
}

function requirePorts(option: string, ports: string): void {
    const legal = "a port from 1 to 65535, or a range such as 9100-9200";
    requireMatch(option, /^\d+(-\d+)?$/, legal, ports);
    const [first = 0, last = first] = ports.split("-").map(Number);
    if (first < 1 || last > 65_535 || last < first) throw invalid(option, legal, ports);
}

/** The rules in the provider's form, by role. */
export function inboundOf(
    rules: readonly OwnRule[],
    role: Role,
    nodes: pulumi.Input<string>,
): types.input.FirewallInboundRule[] {
    return rules
        .filter((each) => each.role === role)
        .map(({ protocol, ports, cidrs, fromNodes }) => ({
            protocol,
            ...(ports !== undefined && { portRange: ports }),
            ...(cidrs.length > 0 && { sourceAddresses: [...cidrs] }),
            ...(fromNodes && { sourceTags: [nodes] }),
        }));
}
