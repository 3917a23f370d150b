import * as pulumi from "@pulumi/pulumi";

/** Rules of one direction and one kind of address that a group has, unless the account's quota was raised. */
const quota = 60;

/**
 * Warns of more rules than EC2 takes of an account that did not ask for more. A peer that is a group counts as one of IPv4
 * and one of IPv6. Source: "Amazon VPC quotas".
 */
export function warnOfManyRules(group: string, peers: readonly object[], parent: pulumi.Resource | undefined): void {
    const most = Math.max(...["cidrIpv4", "cidrIpv6"].map((other) => peers.filter((peer) => !(other in peer)).length));
    if (most <= quota) return;
    const what = `the security group ${group} has ${most} rules, and an account's quota is ${quota} unless it was raised`;
    pulumi.log.warn(
        `${what}: give fewer, wider blocks, or have "Inbound or outbound rules per security group" raised`,
        parent,
    );
}
