import type { Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { administratorGroups, admissionPolicy, annotationVariables, changesOfNodes } from "../objects";
import { overlayId, overlayPrefixes } from "./flannel-overlay";

const name = "flannel.tradewind.dev";
const prefix = "flannel.alpha.coreos.com/";

/**
 * Keeps each node's part of flannel's network its own: what its Node says of it must follow from its address.
 *
 * flannel on every other node sends packets for a node to the hardware address and the address that its Node has. A node
 * with another one's hardware address would get that one's packets, and root on any worker may change its own Node.
 *
 * Annotations from before the policy stay until they change.
 */
export function flannelPolicy(cluster: Pick<Cluster, "certificates">): Manifest[] {
    const exempt = administratorGroups(cluster);
    const validation = (expression: string, message: string) => ({
        expression: `variables.isUnchanged || (${expression})`,
        message: `${message}: only ${exempt.join(" and ")} may say another`,
        reason: "Forbidden",
    });
    return admissionPolicy(name, {
        ...changesOfNodes(exempt),
        variables: [
            ...annotationVariables(prefix),
            {
                name: "addresses",
                expression:
                    'object.?status.?addresses.orValue([]).filter(each, each.type == "InternalIP").map(each, each.address)',
            },
            { name: "ip", expression: annotation("public-ip") },
            { name: "ip6", expression: annotation("public-ipv6") },
            { name: "mac", expression: `"${overlayPrefixes.ipv4}" + ${bytes}` },
            { name: "groups", expression: 'variables.ip6.orValue("::").split(":")' },
            { name: "mac6", expression: `"${overlayPrefixes.ipv6}" + ${bytes6}` },
        ],
        validations: [
            validation(
                [
                    ...["ip", "ip6"].map(isOwn),
                    ...["public-ip-overwrite", "public-ipv6-overwrite"].map((key) => `!${annotation(key)}.hasValue()`),
                ].join(" && "),
                "flannel's addresses of a node must be internal ones of it",
            ),
            validation(
                [
                    isOf("backend-data", "ip", "mac"),
                    isOf("backend-v6-data", "ip6", "mac6"),
                    `${annotation("backend-type")}.orValue("vxlan") == "vxlan"`,
                ].join(" && "),
                "flannel's hardware addresses of a node must be those that follow from its addresses",
            ),
        ],
    });
}

function annotation(key: string): string {
    return `variables.annotations[?"${prefix}${key}"]`;
}

function isOwn(address: string): string {
    return `(!variables.${address}.hasValue() || variables.${address}.value() in variables.addresses)`;
}

/** The bytes of an IPv4 address. */
const bytes =
    'variables.ip.orValue("0.0.0.0").split(".").map(part, "%x".format([256 + int(part)]).substring(1)).join(":")';

/** The last four bytes of an IPv6 address. What `::` leaves out is 0. */
const bytes6 = [
    "[variables.groups[size(variables.groups) - 2], variables.groups[size(variables.groups) - 1]]",
    'map(part, ("0000" + part).substring(size(part)))',
    'map(part, part.substring(0, 2) + ":" + part.substring(2))',
    'join(":")',
].join(".");

function isOf(key: string, address: string, mac: string): string {
    const expected = `"{\\"VNI\\":${overlayId},\\"VtepMAC\\":\\"" + variables.${mac} + "\\"}"`;
    const data = annotation(key);
    return `(!${data}.hasValue() || variables.${address}.hasValue() && ${data}.value() == ${expected})`;
}
