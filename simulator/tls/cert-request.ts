import type { KeyObject } from "node:crypto";
import { children, type Der, integer, oid, sequence, set, tagged } from "./der";
import {
    type AlternativeNames,
    alternativeNames,
    extension,
    findExtension,
    SUBJECT_ALTERNATIVE_NAME,
} from "./extensions";
import { publicKeyInfo, signed } from "./keys";
import { name, type Subject } from "./name";
import { fromPem, toPem } from "./pem";

const LABEL = "CERTIFICATE REQUEST";
const EXTENSION_REQUEST = oid("1.2.840.113549.1.9.14");

/** Writes and signs a certificate request (PKCS #10). */
export function request(subject: Subject, names: AlternativeNames, key: KeyObject): string {
    const value = alternativeNames(names);
    const attributes = value
        ? sequence(EXTENSION_REQUEST, set(sequence(extension(SUBJECT_ALTERNATIVE_NAME, value))))
        : Buffer.alloc(0);
    const body = sequence(integer(0), name(subject), publicKeyInfo(key), tagged(0, attributes));
    return toPem(LABEL, signed(body, key));
}

/** What of a request goes into the certificate. */
export function parseRequest(
    pem: string,
    property: string,
): { subject: Der; publicKey: Der; alternativeNames: Der | undefined } {
    const [, subject, publicKey, attributes] = children(children(fromPem(LABEL, pem, property))[0]);
    const wanted = children(attributes ?? tagged(0, Buffer.alloc(0)))
        .map(children)
        .find(([type]) => type.equals(EXTENSION_REQUEST));
    const extensions = wanted && children(wanted[1])[0];
    return { subject, publicKey, alternativeNames: findExtension(extensions, SUBJECT_ALTERNATIVE_NAME) };
}
