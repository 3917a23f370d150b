import type { CertificateSigningRequest } from "../../../clients/kubernetes/objects";
import {
    type Element,
    elements,
    expect,
    isPending,
    parseRequest,
    requestInfo,
} from "../../../clients/kubernetes/signing-requests";
import type { Machines } from "./plan";

/** The signer of kubelets' server certificates. */
export const servingSigner = "kubernetes.io/kubelet-serving";

type ServingDecision =
    | { readonly isApproved: true; readonly node: string }
    | { readonly isApproved: false; readonly why: string };

const usages = ["server auth", "digital signature", "key encipherment"];

/**
 * Whether a kubelet requests a certificate for itself, with only the names and addresses of its own machine;
 * `undefined` if the request is of another kind, or has been decided.
 *
 * Addresses reported by the node are not trusted: it could claim any.
 */
export function decideServing(
    request: Pick<CertificateSigningRequest, "spec" | "status">,
    machines: Machines,
): ServingDecision | undefined {
    const { spec } = request;
    if (spec.signerName !== servingSigner || !isPending(request)) return undefined;
    const why = refusal(spec, machines);
    return typeof why === "string" ? { isApproved: false, why } : { isApproved: true, node: why.node };
}

/** The node that a request claims to be from. */
export function nodeOf({ username = "" }: Pick<CertificateSigningRequest["spec"], "username">): string | undefined {
    return /^system:node:(.+)$/.exec(username)?.[1];
}

function refusal(spec: CertificateSigningRequest["spec"], machines: Machines): string | { readonly node: string } {
    const node = nodeOf(spec) ?? "";
    if (!spec.groups?.includes("system:nodes") || node === "") return `${spec.username} is not a node`;
    const addresses = Object.hasOwn(machines, node) ? machines[node] : undefined;
    if (addresses === undefined) return `${node} is not a machine of the stack`;
    const strange = spec.usages?.find((usage) => !usages.includes(usage));
    if (strange || !spec.usages?.includes("server auth")) return `its usages are ${spec.usages?.join(", ")}`;
    try {
        const pem = Buffer.from(spec.request, "base64").toString("utf8");
        const { commonName, organizations } = parseRequest(pem);
        if (commonName !== spec.username || organizations.join() !== "system:nodes") {
            return `it is for ${commonName} of ${organizations.join(", ")}, but was requested by ${spec.username}`;
        }
        const names = serverNames(pem);
        const others = [
            ...names.dnsNames.filter((name) => name !== node && !addresses.includes(name)),
            ...names.addresses.filter((address) => !addresses.includes(address)),
        ];
        if (others.length > 0)
            return `${others.join(", ")} does not belong to ${node}, which has ${addresses.join(", ")}`;
        return names.addresses.length > 0 ? { node } : "it has no address";
    } catch (error) {
        return (error as Error).message;
    }
}

/** The server names in a certificate request. */
interface ServerNames {
    readonly dnsNames: readonly string[];
    /** As text. */
    readonly addresses: readonly string[];
}

const tags = { sequence: 0x30, set: 0x31, oid: 0x06, octets: 0x04, attributes: 0xa0, dns: 0x82, ip: 0x87 } as const;
/** OIDs in DER. */
const oids = { extensionRequest: "2a864886f70d01090e", subjectAlternativeName: "551d11" } as const;

/** The names in a request. Throws if it contains anything else, or a name of another kind. */
function serverNames(pem: string): ServerNames {
    const [, , , attributes] = requestInfo(pem);
    const [attribute, ...more] = elements(expect(attributes, tags.attributes));
    const [kind, values] = elements(expect(attribute, tags.sequence));
    const [extensions, ...others] = elements(expect(values, tags.set));
    if (more.length + others.length > 0 || oidOf(kind) !== oids.extensionRequest) {
        throw new Error("it has attributes other than its names");
    }
    const [extension, ...further] = elements(expect(extensions, tags.sequence));
    const parts = elements(expect(extension, tags.sequence));
    if (further.length > 0 || oidOf(parts[0]) !== oids.subjectAlternativeName) {
        throw new Error("it requests more than names");
    }
    // There may be a critical flag in between.
    const [list] = elements(expect(parts.at(-1), tags.octets));
    const names = elements(expect(list, tags.sequence));
    const strange = names.find(({ tag, content }) => tag !== tags.dns && !(tag === tags.ip && isAddress(content)));
    if (strange !== undefined) throw new Error("it has a name that is neither a DNS name nor an address");
    const of = (tag: number) => names.filter((name) => name.tag === tag).map(({ content }) => content);
    return {
        dnsNames: of(tags.dns).map((content) => content.toString("latin1")),
        addresses: of(tags.ip).map(addressText),
    };
}

function isAddress({ length }: Buffer): boolean {
    return length === 4 || length === 16;
}

/** IPv6 in its canonical short form, like the addresses in options. */
function addressText(content: Buffer): string {
    if (content.length === 4) return [...content].join(".");
    const groups = content.toString("hex").match(/.{4}/g) ?? [];
    return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}

function oidOf(element: Element | undefined): string {
    return expect(element, tags.oid).toString("hex");
}
