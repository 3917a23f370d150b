import { requireBlocks } from "../../../cluster/network/cidr";
import { conflictsWith, invalid, requireOneOf, requires } from "../../../cluster/validate";
import type { Access } from "../model";
import type { AwsOptions } from "../options";
import { requireEndpoints } from "./endpoints";
import { requirePrivateZone, requirePublicZone } from "./hosted-zones";

type Options = Pick<
    AwsOptions,
    | "vpcId"
    | "topology"
    | "natGateways"
    | "vpcEndpoints"
    | "s3Endpoint"
    | "apiAccess"
    | "nodeApiAccess"
    | "privateZone"
    | "publicZone"
    | "apiAllowedCidrs"
    | "ipv6"
>;

/** Validates the options and applies the defaults. Throws `<option> must be <legal> (got <value>)`. */
export function requireAccess(options: Options): Access {
    const topology = requireOneOf("topology", ["public", "private"] as const, options.topology ?? "public");
    const apiAccess = requireOneOf("apiAccess", ["public", "internal"] as const, options.apiAccess ?? "public");
    const privateZone = requirePrivateZone(options.privateZone, apiAccess);
    const publicZone = requirePublicZone(options.publicZone, privateZone);
    const { apiAllowedCidrs } = options;
    const nodeApiAccess = requireNodeApiAccess(options, { topology, apiAccess });
    requireAllowed(apiAllowedCidrs, { topology, apiAccess, nodeApiAccess });
    const natGateways = requireNatGateways(options.natGateways, { topology, apiAccess });
    return {
        topology,
        natGateways,
        vpcEndpoints: requireEndpoints(options.vpcEndpoints, natGateways),
        s3Endpoint: requireS3Endpoint(options, { topology, natGateways }),
        apiAccess,
        nodeApiAccess,
        ...(privateZone && { privateZone }),
        ...(publicZone && { publicZone }),
        ...(apiAllowedCidrs && { apiAllowedCidrs }),
        ipv6: requireIpv6(options.ipv6, natGateways),
    };
}

type Where = Pick<Access, "topology" | "apiAccess">;

/**
 * By default `internal` where nodes would otherwise depend on a NAT gateway, or could not be distinguished from other clients. An
 * existing VPC may have DNS servers of its own, which resolve no private zone.
 */
function requireNodeApiAccess(
    { nodeApiAccess: option, vpcId, apiAllowedCidrs }: Options,
    { topology, apiAccess }: Where,
): Access["nodeApiAccess"] {
    if (apiAccess === "internal") {
        if (option !== undefined) throw conflictsWith("nodeApiAccess", "apiAccess internal", option);
        return "shared";
    }
    const isBetter = topology === "private" || apiAllowedCidrs !== undefined;
    const usual = isBetter && vpcId === undefined ? "internal" : "shared";
    return requireOneOf("nodeApiAccess", ["shared", "internal"] as const, option ?? usual);
}

/**
 * Public nodes connect to a public load balancer from addresses that AWS assigns when it starts an instance, at any time
 * and without the stack.
 */
function requireAllowed(
    cidrs: readonly string[] | undefined,
    { topology, apiAccess, nodeApiAccess }: Where & Pick<Access, "nodeApiAccess">,
): void {
    if (cidrs && topology === "public" && apiAccess === "public" && nodeApiAccess === "shared") {
        const why = "public nodes reach a public API from addresses that AWS assigns to each when it starts";
        const other = "topology private, or nodeApiAccess or apiAccess internal";
        throw requires("apiAllowedCidrs", `${other}, because ${why}`, cidrs);
    }
    requireBlocks("apiAllowedCidrs", cidrs);
}

function requireNatGateways(option: string | undefined, { topology, apiAccess }: Where): Access["natGateways"] {
    if (option !== undefined && topology === "public") {
        throw requires("natGateways", "topology private", option);
    }
    const natGateways = requireOneOf("natGateways", ["one-per-zone", "one", "none"] as const, option ?? "one-per-zone");
    if (natGateways === "none" && apiAccess === "public") {
        throw invalid(
            "apiAccess",
            "internal with natGateways none, because nodes cannot reach a public API",
            apiAccess,
        );
    }
    return natGateways;
}

/** Without a route to the internet, nodes could not boot without it. An existing VPC has its own route tables. */
function requireS3Endpoint(
    { s3Endpoint: option, vpcId }: Options,
    { topology, natGateways }: Pick<Access, "topology" | "natGateways">,
): boolean {
    if (option === undefined) return natGateways === "none" || (topology === "private" && vpcId === undefined);
    if (vpcId !== undefined) throw conflictsWith("s3Endpoint", "vpcId", option);
    if (natGateways === "none")
        throw conflictsWith("s3Endpoint", "natGateways none, which always has this endpoint", option);
    return option;
}

/** Without a route to the internet, there is none for IPv6 either, and endpoints have IPv4 addresses. */
function requireIpv6(ipv6 = false, natGateways: Access["natGateways"]): boolean {
    if (ipv6 && natGateways === "none") throw conflictsWith("ipv6", "natGateways none", ipv6);
    return ipv6;
}
