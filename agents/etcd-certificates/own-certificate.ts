import { X509Certificate } from "node:crypto";

/** A member's files, as PEM. */
export interface MemberFiles {
    readonly certificate: string;
    /** Whom it trusts: one or several. */
    readonly authorities: string;
}

/** With a certificate of an authority that its peers do not know, or of another key, a member would be lost to them. */
export function requireOwn(name: string, wanted: X509Certificate, { certificate, authorities }: MemberFiles): void {
    const keyOf = ({ publicKey }: X509Certificate) => publicKey.export({ type: "spki", format: "pem" });
    if (keyOf(wanted) !== keyOf(new X509Certificate(certificate))) {
        throw new Error(`the new certificate must be for the key that ${name} has, got one for another`);
    }
    if (!certificatesIn(authorities).some(({ publicKey }) => wanted.verify(publicKey))) {
        throw new Error(`the new certificate must be of an authority that ${name} trusts, got one of another`);
    }
}

function certificatesIn(pem: string): X509Certificate[] {
    const each = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    return each.map((text) => new X509Certificate(text));
}
