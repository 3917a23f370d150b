import { SecurityGroup } from "@pulumi/aws/ec2/securityGroup";
import { SecurityGroupEgressRule } from "@pulumi/aws/vpc/securityGroupEgressRule";
import { SecurityGroupIngressRule } from "@pulumi/aws/vpc/securityGroupIngressRule";
import type * as pulumi from "@pulumi/pulumi";
import { egress, type Group, ingress, type Rule } from "./security-rules";
import type { Tags } from "./tags";

export interface AwsSecurity {
    readonly groups: Readonly<Record<Group, SecurityGroup>>;
    /** What has to be there before an instance boots: without it nothing gets out. */
    readonly rules: readonly pulumi.Resource[];
}

/** Lets into instances and the load balancer what the cluster needs, and nothing else. */
export function createSecurity(
    name: string,
    vpcId: pulumi.Input<string>,
    tags: Tags,
    opts: pulumi.CustomResourceOptions,
): AwsSecurity {
    const create = (group: Group, description: string) =>
        new SecurityGroup(
            `${name}-${group}`,
            { name: `${name}-${group}`, description, vpcId, tags: tags(`${name}-${group}`) },
            opts,
        );
    const groups = {
        "load-balancer": create("load-balancer", "The load balancer of the Kubernetes API"),
        nodes: create("nodes", "Every node of the cluster"),
        controllers: create("controllers", "Its controllers"),
    };
    const argsOf = (group: string, rule: Rule, resource: string) => ({
        securityGroupId: groups[group as Group].id,
        ipProtocol: rule.protocol === "all" ? "-1" : rule.protocol,
        ...portsOf(rule),
        ...(rule.peer === "everybody"
            ? { cidrIpv4: "0.0.0.0/0" }
            : { referencedSecurityGroupId: groups[rule.peer].id }),
        tags: tags(resource),
    });
    const rules = (all: typeof ingress, Type: typeof SecurityGroupIngressRule | typeof SecurityGroupEgressRule) =>
        Object.entries(all).flatMap(([group, byName]) =>
            Object.entries(byName).map(([what, rule]) => {
                const resource = `${name}-${group}-${what}`;
                return new Type(resource, argsOf(group, rule, resource), opts);
            }),
        );
    return {
        groups,
        rules: [...rules(ingress, SecurityGroupIngressRule), ...rules(egress, SecurityGroupEgressRule)],
    };
}

/** As EC2 wants them: ICMP has types in the place of ports, of which -1 is each. */
function portsOf({ protocol, ports }: Rule): { fromPort?: number; toPort?: number } {
    if (protocol === "all") {
        return {};
    }
    const [fromPort, toPort] = ports ?? [-1, -1];
    return { fromPort, toPort };
}
