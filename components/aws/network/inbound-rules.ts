import type { SecurityGroup } from "@pulumi/aws/ec2/securityGroup";
import { SecurityGroupIngressRule } from "@pulumi/aws/vpc/securityGroupIngressRule";
import type * as pulumi from "@pulumi/pulumi";
import { requireBlocks } from "../../../cluster/network/cidr";
import { ports } from "../../../cluster/network/ports";
import { invalid, mustNot, requireMatch, requireOneOf } from "../../../cluster/validate";
import { isLate, requireLate } from "../../pulumi/late";
import type { InboundRule } from "../model";
import type { AwsInboundRule } from "../options";
import type { Tags } from "../tags";

const targets = ["nodes", "controllers", "workers"] as const;

/** Throws `inboundRules... must be <legal> (got <value>)`. */
export function requireInboundRules(rules: readonly AwsInboundRule[] = []): InboundRule[] {
    const names: string[] = [];
    return rules.map((rule, index) => {
        const checked = requireInboundRule(`inboundRules[${index}]`, rule);
        const name = nameOf(checked, names);
        if (names.includes(name)) throw mustNot(`inboundRules[${index}]`, "be listed twice", rule);
        names.push(name);
        return { ...checked, name };
    });
}

function requireInboundRule(
    option: string,
    { protocol = "tcp", from = "nodes", to = "nodes", ...rule }: AwsInboundRule,
) {
    const text = String(rule.ports);
    const legal = "a port from 1 to 65535, or a range such as 9100-9110";
    requireMatch(`${option}.ports`, /^\d{1,5}(-\d{1,5})?$/, legal, text);
    const [first = 0, last = first] = text.split("-").map(Number);
    if (first < 1 || first > last || last > 65_535) throw invalid(`${option}.ports`, legal, text);
    const checked = {
        protocol: requireOneOf(`${option}.protocol`, ["tcp", "udp"] as const, protocol),
        ports: [first, last] as const,
        from: isLate(from)
            ? requireLate(from, (id) => requireMatch(`${option}.from`, groupId, "a security group's id", id))
            : requireSource(`${option}.from`, from),
        to: requireOneOf(`${option}.to`, targets, to),
    };
    const { etcdClient, etcdPeer } = ports;
    if (protocol === "tcp" && to !== "workers" && first <= etcdPeer && last >= etcdClient) {
        const what = `contain ${etcdClient}-${etcdPeer} (etcd), which only controllers may reach`;
        throw mustNot(`${option}.ports`, what, text);
    }
    return checked;
}

/** Id of a security group. */
export const groupId: RegExp = /^sg-[0-9a-f]{8,17}$/;

function requireSource(option: string, from: string): string {
    if (from === "nodes" || groupId.test(from)) return from;
    if (!from.includes("/")) throw invalid(option, "nodes, an IPv4 block or a security group's id", from);
    requireBlocks(option, [from]);
    return from;
}

/** Outputs are numbered: which group each one names is only known later. */
function nameOf({ protocol, ports: [first, last], from, to }: Omit<InboundRule, "name">, taken: readonly string[]) {
    const range = first === last ? `${first}` : `${first}-${last}`;
    const prefix = `${to}-own-${protocol}-${range}-`;
    if (!isLate(from)) return prefix + from.replaceAll(/[./]/g, "-");
    return `${prefix}group-${taken.filter((name) => name.startsWith(`${prefix}group-`)).length}`;
}

/** Properties of a rule that say where it allows traffic from. */
function sourceOf(from: InboundRule["from"], groups: Groups) {
    if (from === "nodes") return { referencedSecurityGroupId: groups.nodes.id };
    return !isLate(from) && from.includes("/") ? { cidrIpv4: from } : { referencedSecurityGroupId: from };
}

type Groups = Readonly<Record<InboundRule["to"], Pick<SecurityGroup, "id">>> & {
    /** Rules for controllers apply to them, too. @default there are none */
    readonly candidates?: Pick<SecurityGroup, "id">;
};

/** Allows the user's own traffic to nodes. */
export function createInboundRules(
    cluster: string,
    rules: readonly InboundRule[],
    { groups, tags }: { readonly groups: Groups; readonly tags: Tags },
    opts: pulumi.CustomResourceOptions,
): void {
    const targets = rules.flatMap((rule) => {
        const own = { rule, group: groups[rule.to], what: rule.name };
        if (rule.to !== "controllers" || !groups.candidates) return [own];
        return [own, { rule, group: groups.candidates, what: rule.name.replace(rule.to, "candidates") }];
    });
    for (const { rule, group, what } of targets) {
        const name = `${cluster}-${what}`;
        const { protocol, from } = rule;
        const [fromPort, toPort] = rule.ports;
        new SecurityGroupIngressRule(
            name,
            {
                securityGroupId: group.id,
                ipProtocol: protocol,
                fromPort,
                toPort,
                ...sourceOf(from, groups),
                tags: tags(name),
            },
            opts,
        );
    }
}
