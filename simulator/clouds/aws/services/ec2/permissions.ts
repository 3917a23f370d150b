import type { SecurityRule } from "../../account";
import { objectsOf, type Params, textOf } from "../query/params";
import type { Said } from "../query/xml";

/** A rule in the form of a permission: one block or one group. */
export type Permitted = Pick<SecurityRule, "protocol" | "fromPort" | "toPort" | "cidr" | "peer" | "description">;

/** Rules that a request specifies, one per block and group of its permissions. */
export function permittedOf(params: Params): Permitted[] {
    const permissions = objectsOf(params, "IpPermissions");
    if (permissions.length === 0) throw new Error("MissingParameter: The request must contain IpPermissions");
    return permissions.flatMap((permission) => {
        const protocol = textOf(permission, "IpProtocol");
        const ports = (["FromPort", "ToPort"] as const).map((name) => permission[name]);
        const [fromPort, toPort] = ports.map((port) => (port === undefined ? undefined : Number(port)));
        const what = { protocol, ...(protocol !== "-1" && fromPort !== undefined && { fromPort, toPort: toPort! }) };
        const said = (each: Params) =>
            typeof each.Description === "string" ? { description: each.Description } : undefined;
        return [
            ...objectsOf(permission, "IpRanges").map((each) => ({ cidr: textOf(each, "CidrIp"), ...said(each) })),
            ...objectsOf(permission, "Ipv6Ranges").map((each) => ({ cidr: textOf(each, "CidrIpv6"), ...said(each) })),
            ...objectsOf(permission, "Groups").map((each) => ({ peer: textOf(each, "GroupId"), ...said(each) })),
        ].map((source) => ({ ...what, ...source }));
    });
}

/** What identifies a rule, which excludes its description. */
export function sameRule(a: Permitted, b: Permitted): boolean {
    const key = ({ protocol, fromPort, toPort, cidr, peer }: Permitted) =>
        JSON.stringify([protocol, fromPort, toPort, cidr, peer]);
    return key(a) === key(b);
}

/** Rules as the service returns them: grouped by protocol and ports. */
export function permissionsSaid(rules: readonly Permitted[], owner: string): Said[] {
    const groups = new Map<string, Permitted[]>();
    for (const rule of rules) {
        const key = JSON.stringify([rule.protocol, rule.fromPort, rule.toPort]);
        groups.set(key, [...(groups.get(key) ?? []), rule]);
    }
    return [...groups.values()].map((all) => {
        const { protocol, fromPort, toPort } = all[0]!;
        const isIpv6 = ({ cidr }: Permitted) => cidr?.includes(":");
        return {
            ipProtocol: protocol,
            fromPort,
            toPort,
            groups: all
                .filter(({ peer }) => peer)
                .map(({ peer, description }) => ({ groupId: peer, userId: owner, description })),
            ipRanges: all
                .filter((each) => each.cidr && !isIpv6(each))
                .map(({ cidr, description }) => ({ cidrIp: cidr, description })),
            ipv6Ranges: all.filter(isIpv6).map(({ cidr, description }) => ({ cidrIpv6: cidr, description })),
            prefixListIds: [],
        };
    });
}
