import { type Caller, patch } from "./api-client";
import type { ApiObject, CertificateSigningRequest, With } from "./objects";

const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

/** A request with the version that was read: approving one that has changed since is refused. */
export type SigningRequest = With<CertificateSigningRequest, "resourceVersion">;

/** Path of the list of requests for a signer. */
export function requestsPath(signer: string): string {
    return `${path}?fieldSelector=${encodeURIComponent(`spec.signerName=${signer}`)}`;
}

/** Whether a request is neither approved nor denied. */
export function isPending({ status }: Pick<CertificateSigningRequest, "status">): boolean {
    return !status?.conditions?.length;
}

/** Approves a request, unless it has changed in the meantime. @param reason - of the Kubernetes condition */
export async function approve(
    api: Caller,
    { metadata: { name, resourceVersion } }: SigningRequest,
    reason: string,
    message: string,
): Promise<void> {
    const condition = { type: "Approved", status: "True", reason, message };
    const body = { metadata: { resourceVersion }, status: { conditions: [condition] } };
    await patch(api, `${path}/${name}/approval`, "merge", body);
}

/** Logs why a request is not approved, once per reason. @param logged - reasons by name */
export function logPending(logged: Map<string, string>, { metadata: { name } }: ApiObject, why: string): void {
    if (logged.get(name) !== why) {
        logged.set(name, why);
        // Parts of the message are chosen by the requester.
        console.log(`not approving ${name}: ${why.replaceAll(/[^ -~]/g, "?")}`);
    }
}

/** Forgets logged reasons of requests that no longer exist. */
export function forgetOthers(logged: Map<string, string>, requests: readonly ApiObject[]): void {
    const names = requests.map(({ metadata }) => metadata.name);
    for (const name of [...logged.keys()].filter((each) => !names.includes(each))) {
        logged.delete(name);
    }
}

/** A DER element: its tag and content. */
export interface Element {
    readonly tag: number;
    readonly content: Buffer;
}

const sequence = 0x30;

/** The parts of a certificate request (PKCS #10): version, name, key, attributes. Throws if the PEM text is not valid. */
export function requestInfo(pem: string): Element[] {
    const [, base64] =
        /^-----BEGIN CERTIFICATE REQUEST-----\n([A-Za-z0-9+/=\n]+)-----END CERTIFICATE REQUEST-----\s*$/.exec(pem) ??
        [];
    if (base64 === undefined) throw new Error("it is not one certificate request in PEM");
    const [whole] = elements(Buffer.from(base64, "base64"));
    const [info] = elements(expect(whole, sequence));
    return elements(expect(info, sequence));
}

/** The content of an element with the expected tag. */
export function expect(element: Element | undefined, tag: number): Buffer {
    if (element?.tag !== tag) throw new Error(`it has ${element?.tag ?? "nothing"} instead of ${tag}`);
    return element.content;
}

/** Consecutive DER elements. */
export function elements(der: Buffer): Element[] {
    const found: Element[] = [];
    for (let rest = der; rest.length > 0; ) {
        const count = (rest[1] ?? 0) & 0x80 ? rest[1]! & 0x7f : 0;
        if (count > 4 || rest.length < 2 + count) throw new Error("its DER ends too soon");
        const size = count ? rest.readUIntBE(2, count) : rest[1]!;
        const start = 2 + count;
        if (start + size > rest.length) throw new Error("its DER ends too soon");
        found.push({ tag: rest[0]!, content: rest.subarray(start, start + size) });
        rest = rest.subarray(start + size);
    }
    return found;
}

/** The requested subject of a certificate request (PKCS #10). */
interface Requested {
    readonly commonName: string;
    readonly organizations: readonly string[];
    /** Whether it requests more than a subject, such as the alternative names of a server. */
    readonly asksForMore: boolean;
    /** DER tags. */
    readonly publicKey: Buffer;
}

const tags = { sequence: 0x30, set: 0x31, oid: 0x06, attributes: 0xa0, utf8: 0x0c, printable: 0x13 } as const;
/** DER object identifiers. */
const oids = { commonName: "550403", organization: "55040a" } as const;

/** Parses a PEM request. Throws if it is not valid, or has a subject that a kubelet never uses. */
export function parseRequest(pem: string): Requested {
    const [, subject, key, attributes] = requestInfo(pem);
    const names = elements(expect(subject, tags.sequence)).map(nameOf);
    const valuesOf = (oid: string) => names.filter((name) => name.oid === oid).map(({ value }) => value);
    const [commonName] = valuesOf(oids.commonName);
    const organizations = valuesOf(oids.organization);
    if (commonName === undefined || names.length !== organizations.length + 1) {
        throw new Error("its name has more than one common name and organizations");
    }
    const asksForMore = attributes !== undefined && expect(attributes, tags.attributes).length > 0;
    return { commonName, organizations, asksForMore, publicKey: expect(key, tags.sequence) };
}

/** One attribute of a distinguished name. */
function nameOf(part: Element): { oid: string; value: string } {
    const [pair, ...others] = elements(expect(part, tags.set));
    const [type, value] = elements(expect(pair, tags.sequence));
    if (others.length > 0 || (value?.tag !== tags.utf8 && value?.tag !== tags.printable)) {
        throw new Error("its name contains values that are not plain strings");
    }
    return { oid: expect(type, tags.oid).toString("hex"), value: value.content.toString("utf8") };
}
