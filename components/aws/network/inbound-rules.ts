import type { SecurityGroup } from "@pulumi/aws/ec2/securityGroup";
import { SecurityGroupIngressRule } from "@pulumi/aws/vpc/securityGroupIngressRule";
import type * as pulumi from "@pulumi/pulumi";
import { requireBlocks } from "../../../cluster/network/cidr";
import { ports } from "../../../cluster/network/ports";
import { invalid, requireMatch, requireOneOf } from "../../../cluster/validate";
import type { InboundRule } from "../model";
import type { AwsInboundRule } from "../options";
import type { Tags } from "../tags";

const targets = ["nodes", "controllers", "workers"] as const;

/** Throws `inboundRules... must be <legal>, got <value>`. */
export function requireInboundRules(rules: readonly AwsInboundRule[] = []): InboundRule[] {
    const all = rules.map((rule, index) => requireInboundRule(`inboundRules[${index}]`, rule));
    const names = all.map(nameOf);
    for (const [index, name] of names.entries()) {
        if (names.indexOf(name) !== index) throw invalid(`inboundRules[${index}]`, "listed once", rules[index]);
    }
    return all;
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
        from,
        to: requireOneOf(`${option}.to`, targets, to),
    };
    if (from !== "nodes" && !/^sg-[0-9a-f]{8,17}$/.test(from)) {
        if (!from.includes("/")) throw invalid(`${option}.from`, "nodes, an IPv4 block or a security group's id", from);
        requireBlocks(`${option}.from`, [from]);
    }
    const { etcdClient, etcdPeer } = ports;
    if (protocol === "tcp" && to !== "workers" && first <= etcdPeer && last >= etcdClient) {
        const why = `without ${etcdClient}-${etcdPeer} (etcd), which only controllers may reach`;
        throw invalid(`${option}.ports`, why, text);
    }
    return checked;
}

function nameOf({ protocol, ports: [first, last], from, to }: InboundRule): string {
    const range = first === last ? `${first}` : `${first}-${last}`;
    return `${to}-own-${protocol}-${range}-${from.replaceAll(/[./]/g, "-")}`;
}

type Groups = Readonly<Record<InboundRule["to"], Pick<SecurityGroup, "id">>>;

/** Allows the user's own traffic to nodes. */
export function createInboundRules(
    cluster: string,
    rules: readonly InboundRule[],
    { groups, tags }: { readonly groups: Groups; readonly tags: Tags },
    opts: pulumi.CustomResourceOptions,
): void {
    for (const rule of rules) {
        const name = `${cluster}-${nameOf(rule)}`;
        const { protocol, from, to } = rule;
        const [fromPort, toPort] = rule.ports;
        new SecurityGroupIngressRule(
            name,
            {
                securityGroupId: groups[to].id,
                ipProtocol: protocol,
                fromPort,
                toPort,
                ...(from === "nodes" && { referencedSecurityGroupId: groups.nodes.id }),
                ...(from.startsWith("sg-") && { referencedSecurityGroupId: from }),
                ...(from.includes("/") && { cidrIpv4: from }),
                tags: tags(name),
            },
            opts,
        );
    }
}
