import type { Network } from "../../../cluster/model";
import { contains, overlaps, parseCidr6 } from "../../../cluster/network/cidr";
import { invalid, requires } from "../../../cluster/validate";
import type { AwsOptions } from "../options";

const uniqueLocal = parseCidr6("unique local addresses", "fd00::/8");

/** Metadata, DNS and time. Source: EC2's "Use the Instance Metadata Service", and "DNS attributes for your VPC". */
const ofServices = parseCidr6("addresses of AWS services", "fd00:ec2::/32");

/**
 * Throws if pods and Services cannot have these IPv6 addresses. Nodes are recognized by their global addresses, which
 * AWS assigns, and any other block might be that of the VPC.
 */
export function requireDualStack(network: Network, { ipv6 }: Pick<AwsOptions, "ipv6">): void {
    for (const option of ["podCidr6", "serviceCidr6"] as const) {
        const block = network[option];
        if (!block) continue;
        if (!ipv6) throw requires(`network.${option}`, "ipv6, so that nodes reach each other", block.text);
        if (!contains(uniqueLocal, block) || overlaps(ofServices, block)) {
            const legal = `of unique local addresses (${uniqueLocal.text}), and apart from AWS' own ${ofServices.text}`;
            throw invalid(`network.${option}`, legal, block.text);
        }
    }
}
