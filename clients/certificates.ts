import { X509Certificate } from "node:crypto";

/** The certificates in a file of several. */
export function certificatesOf(pem: string): X509Certificate[] {
    const each = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    return each.map((text) => new X509Certificate(text));
}

/** What a certificate calls its subject: an authority is known by it. */
export function commonNameOf({ subject }: X509Certificate): string {
    return /(?:^|\n)CN=(.*)/.exec(subject)?.[1] ?? "";
}
