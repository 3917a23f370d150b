import type { Input } from "@pulumi/pulumi";
import { conflictsWith, invalid, mustNot, requireMatch, requires } from "../../../cluster/validate";
import { requireLate, shown } from "../../pulumi/late";
import type { ExistingNetwork } from "../model";
import type { AwsOptions } from "../options";
import { groupId } from "./inbound-rules";

/** Options for a VPC created by the stack cannot be combined with an existing one. */
export function requireExisting(options: Omit<AwsOptions, "downloads">): ExistingNetwork | undefined {
    const { vpcId, subnetIds, vpcCidr, topology = "public", apiAccess = "public" } = options;
    const [own, brought] = [
        ["zones", "natGateways"] as const,
        ["subnetIds", "loadBalancerSubnetIds", "securityGroupIds"] as const,
    ];
    for (const option of vpcId === undefined ? brought : own) {
        if (options[option] !== undefined) {
            const error = vpcId === undefined ? requires : conflictsWith;
            throw error(option, "vpcId", shown(options[option]));
        }
    }
    if (vpcId === undefined) return undefined;
    const id = requireLate(vpcId, (known) =>
        requireMatch("vpcId", /^vpc-[0-9a-f]{8,17}$/, "a VPC id, such as vpc-0123456789abcdef0", known),
    );
    if (vpcCidr === undefined) throw requires("vpcId", "vpcCidr: the IPv4 block of the VPC");
    const nodes = requireSubnetIds("subnetIds", subnetIds);
    const areItsToo = topology === "public" || apiAccess === "internal";
    const { loadBalancerSubnetIds = areItsToo ? subnetIds : undefined } = options;
    const loadBalancer = requireSubnetIds("loadBalancerSubnetIds", loadBalancerSubnetIds);
    const { securityGroupIds = [] } = options;
    // Interfaces have five by default, of which two are the cluster's, and three of a candidate.
    const hasCandidates = (options.controllers?.candidates ?? []).length > 0;
    const legal = hasCandidates ? "at most two with controllers.candidates" : "at most three";
    if (securityGroupIds.length > (hasCandidates ? 2 : 3)) {
        throw invalid("securityGroupIds", legal, securityGroupIds.length);
    }
    requireIds("securityGroupIds", securityGroupIds, groupId, "a security group's id, such as sg-0123456789abcdef0");
    return { vpcId: id, subnetIds: nodes, loadBalancerSubnetIds: loadBalancer, securityGroupIds };
}

function requireSubnetIds(option: string, ids: readonly Input<string>[] = []): readonly Input<string>[] {
    if (ids.length === 0) throw mustNot(option, "be empty");
    return requireIds(option, ids, /^subnet-[0-9a-f]{8,17}$/, "a subnet id, such as subnet-0123456789abcdef0");
}

function requireIds(
    option: string,
    ids: readonly Input<string>[],
    pattern: RegExp,
    legal: string,
): readonly Input<string>[] {
    return ids.map((id, index) => {
        const one = `${option}[${index}]`;
        if (ids.indexOf(id) !== index) throw mustNot(one, "be listed twice", shown(id));
        return requireLate(id, (known) => requireMatch(one, pattern, legal, known));
    });
}
