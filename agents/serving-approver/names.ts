import { type Element, elements, expect, requestInfo } from "../common/der";

/** By what a server is reached that a certificate request is for. */
export interface ServerNames {
    readonly dnsNames: readonly string[];
    /** As text. */
    readonly addresses: readonly string[];
}

const tags = { sequence: 0x30, set: 0x31, oid: 0x06, octets: 0x04, attributes: 0xa0, dns: 0x82, ip: 0x87 } as const;
/** As DER has them. */
const oids = { extensionRequest: "2a864886f70d01090e", subjectAlternativeName: "551d11" } as const;

/** Reads the names that a request asks for. Throws if it asks for anything else, or for a name of another kind. */
export function serverNames(pem: string): ServerNames {
    const [, , , attributes] = requestInfo(pem);
    const [attribute, ...more] = elements(expect(attributes, tags.attributes));
    const [kind, values] = elements(expect(attribute, tags.sequence));
    const [extensions, ...others] = elements(expect(values, tags.set));
    if (more.length + others.length > 0 || oidOf(kind) !== oids.extensionRequest) {
        throw new Error("it has other attributes than its names");
    }
    const [extension, ...further] = elements(expect(extensions, tags.sequence));
    const parts = elements(expect(extension, tags.sequence));
    if (further.length > 0 || oidOf(parts[0]) !== oids.subjectAlternativeName) {
        throw new Error("it asks for more than names");
    }
    // Between them it may say that it is critical.
    const [list] = elements(expect(parts.at(-1), tags.octets));
    const names = elements(expect(list, tags.sequence));
    const strange = names.find(({ tag, content }) => tag !== tags.dns && !(tag === tags.ip && isAddress(content)));
    if (strange !== undefined) throw new Error("it asks for a name that is no DNS name and no address");
    const of = (tag: number) => names.filter((name) => name.tag === tag).map(({ content }) => content);
    return {
        dnsNames: of(tags.dns).map((content) => content.toString("latin1")),
        addresses: of(tags.ip).map(addressText),
    };
}

function isAddress({ length }: Buffer): boolean {
    return length === 4 || length === 16;
}

/** Of IPv6 in its one short form, as options' addresses are. */
function addressText(content: Buffer): string {
    if (content.length === 4) return [...content].join(".");
    const groups = content.toString("hex").match(/.{4}/g) ?? [];
    return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}

function oidOf(element: Element | undefined): string {
    return expect(element, tags.oid).toString("hex");
}
