import { X509Certificate } from "node:crypto";

/** The certificates in a PEM bundle. */
export function certificatesOf(pem: string): X509Certificate[] {
    const each = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    return each.map((text) => new X509Certificate(text));
}

/** A certificate's common name, which identifies a CA. */
export function commonNameOf({ subject }: X509Certificate): string {
    return /(?:^|\n)CN=(.*)/.exec(subject)?.[1] ?? "";
}
