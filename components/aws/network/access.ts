import { requireBlocks } from "../../../cluster/network/cidr";
import { invalid, requireOneOf } from "../../../cluster/validate";
import type { Access } from "../model";
import type { AwsOptions } from "../options";
import { requireEndpoints } from "./endpoints";
import { requirePrivateZone } from "./private-zone";

type Options = Pick<
    AwsOptions,
    "topology" | "natGateways" | "vpcEndpoints" | "apiAccess" | "privateZone" | "apiAllowedCidrs" | "ipv6"
>;

/** Validates the options and applies the defaults. Throws `<option> must be <legal>, got <value>`. */
export function requireAccess(options: Options): Access {
    const topology = requireOneOf("topology", ["public", "private"] as const, options.topology ?? "public");
    const apiAccess = requireOneOf("apiAccess", ["public", "internal"] as const, options.apiAccess ?? "public");
    const privateZone = requirePrivateZone(options.privateZone, apiAccess);
    const { apiAllowedCidrs } = options;
    requireAllowed(apiAllowedCidrs, { topology, apiAccess });
    const natGateways = requireNatGateways(options.natGateways, { topology, apiAccess });
    return {
        topology,
        natGateways,
        vpcEndpoints: requireEndpoints(options.vpcEndpoints, natGateways),
        apiAccess,
        ...(privateZone && { privateZone }),
        ...(apiAllowedCidrs && { apiAllowedCidrs }),
        ipv6: requireIpv6(options.ipv6, natGateways),
    };
}

type Where = Pick<Access, "topology" | "apiAccess">;

/**
 * Public nodes connect to a public load balancer from addresses that AWS assigns when it starts an instance, at any time
 * and without the stack.
 */
function requireAllowed(cidrs: readonly string[] | undefined, { topology, apiAccess }: Where): void {
    if (cidrs && topology === "public" && apiAccess === "public") {
        const why = "public nodes reach a public API from addresses that AWS assigns to each when it starts";
        throw invalid(
            "apiAllowedCidrs",
            `omitted unless topology is private or apiAccess is internal, because ${why}`,
            cidrs,
        );
    }
    requireBlocks("apiAllowedCidrs", cidrs);
}

function requireNatGateways(option: string | undefined, { topology, apiAccess }: Where): Access["natGateways"] {
    if (option !== undefined && topology === "public") {
        throw invalid("natGateways", "omitted unless topology is private", option);
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

/** Without a route to the internet, there is none for IPv6 either, and endpoints have IPv4 addresses. */
function requireIpv6(hasIpv6 = false, natGateways: Access["natGateways"]): boolean {
    if (hasIpv6 && natGateways === "none") throw invalid("ipv6", "omitted with natGateways none", hasIpv6);
    return hasIpv6;
}
