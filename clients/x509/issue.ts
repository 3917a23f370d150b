import { type KeyObject, randomBytes, X509Certificate } from "node:crypto";
import { child, children, content, type Der, integer, sequence, tagged, time } from "./der";
import * as extensions from "./extensions";
import { fromPem, keyIdentifier, signatureAlgorithm, signed, toPem } from "./keys";

interface Template {
    /** A distinguished name. */
    readonly subject: Der;
    /** SubjectPublicKeyInfo. */
    readonly publicKey: Der;
    /** The value of the subject alternative name extension. */
    readonly alternativeNames?: Der;
    readonly allowedUses: readonly string[];
    readonly isCa: boolean;
    readonly maxPathLength?: number;
    readonly setSubjectKeyId: boolean;
    readonly notBefore: Date;
    readonly notAfter: Date;
}

/** The issuer. */
interface Issuer {
    /** @default the certificate's own subject */
    readonly subject?: Der;
    /** Written as the authority key identifier. */
    readonly keyId?: Buffer;
    readonly key: KeyObject;
}

export interface Certificate {
    readonly pem: string;
    /** In decimals. */
    readonly serialNumber: string;
}

const EMPTY_NAME = sequence();

/** Writes and signs a version 3 certificate, with the extensions that Go's x509 package would write. */
export function issue(template: Template, issuer: Issuer): Certificate {
    const { subject, publicKey, allowedUses, isCa, alternativeNames } = template;
    const serial = randomBytes(16);
    const hasSubjectKeyId = isCa || template.setSubjectKeyId;
    const body = sequence(
        tagged(0, integer(2)),
        integer(serial),
        signatureAlgorithm(issuer.key).identifier,
        issuer.subject ?? subject,
        sequence(time(template.notBefore), time(template.notAfter)),
        subject,
        publicKey,
        tagged(
            3,
            sequence(
                ...extensions.keyUsage(allowedUses),
                ...extensions.extendedKeyUsage(allowedUses),
                extensions.basicConstraints(isCa, template.maxPathLength),
                ...(hasSubjectKeyId ? [extensions.subjectKeyId(keyIdentifier(publicKey))] : []),
                ...(issuer.keyId ? [extensions.authorityKeyId(issuer.keyId)] : []),
                ...(alternativeNames ? [subjectAlternativeName(alternativeNames, subject)] : []),
            ),
        ),
    );
    return {
        pem: toPem("CERTIFICATE", signed(body, issuer.key)),
        serialNumber: BigInt(`0x${serial.toString("hex")}`).toString(),
    };
}

/** The issuer's data in a CA certificate. */
export function parseIssuer(pem: string, property: string): { subject: Der; keyId?: Buffer; isCa: boolean } {
    const der = fromPem("CERTIFICATE", pem, property);
    const body = child(der, 0);
    const list = children(body).find((field) => field[0] === 0xa3);
    const keyId = extensions.findExtension(list && children(list)[0], extensions.SUBJECT_KEY_ID);
    return { subject: child(body, 5), keyId: keyId && content(keyId), isCa: new X509Certificate(der).ca };
}

// Without a subject the names are the only identity, so the extension is critical (RFC 5280 4.2.1.6).
function subjectAlternativeName(names: Der, subject: Der): Der {
    const critical = subject.equals(EMPTY_NAME);
    return extensions.extension(extensions.SUBJECT_ALTERNATIVE_NAME, names, { critical });
}
