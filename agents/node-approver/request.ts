import { type Element, elements, expect, requestInfo } from "../common/der";

/** Who a certificate request (PKCS #10) is for. */
export interface Requested {
    readonly commonName: string;
    readonly organizations: readonly string[];
    /** Whether it asks for more than a name, such as other names of a server. */
    readonly asksForMore: boolean;
    /** As DER has it. */
    readonly publicKey: Buffer;
}

const tags = { sequence: 0x30, set: 0x31, oid: 0x06, attributes: 0xa0, utf8: 0x0c, printable: 0x13 } as const;
/** As DER has them. */
const oids = { commonName: "550403", organization: "55040a" } as const;

/** Reads the PEM text of a request. Throws if it is none, or has a name that a kubelet's never has. */
export function parseRequest(pem: string): Requested {
    const [, subject, key, attributes] = requestInfo(pem);
    const names = elements(expect(subject, tags.sequence)).map(nameOf);
    const valuesOf = (oid: string) => names.filter((name) => name.oid === oid).map(({ value }) => value);
    const [commonName] = valuesOf(oids.commonName);
    const organizations = valuesOf(oids.organization);
    if (commonName === undefined || names.length !== organizations.length + 1) {
        throw new Error("its name has something beside one common name and organizations");
    }
    const asksForMore = attributes !== undefined && expect(attributes, tags.attributes).length > 0;
    return { commonName, organizations, asksForMore, publicKey: expect(key, tags.sequence) };
}

/** One part of a distinguished name. */
function nameOf(part: Element): { oid: string; value: string } {
    const [pair, ...others] = elements(expect(part, tags.set));
    const [type, value] = elements(expect(pair, tags.sequence));
    if (others.length > 0 || (value?.tag !== tags.utf8 && value?.tag !== tags.printable)) {
        throw new Error("its name is not of plain texts");
    }
    return { oid: expect(type, tags.oid).toString("hex"), value: value.content.toString("utf8") };
}
