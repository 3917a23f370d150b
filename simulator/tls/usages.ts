/** Bits of the key usage extension (RFC 5280 4.2.1.3), in the provider's words. */
export const KEY_USAGES: readonly string[] = [
    "digital_signature",
    "content_commitment",
    "key_encipherment",
    "data_encipherment",
    "key_agreement",
    "cert_signing",
    "crl_signing",
    "encipher_only",
    "decipher_only",
];

/** Object identifiers of extended key usages. */
export const EXTENDED_KEY_USAGES: Readonly<Record<string, string>> = {
    any_extended: "2.5.29.37.0",
    server_auth: "1.3.6.1.5.5.7.3.1",
    client_auth: "1.3.6.1.5.5.7.3.2",
    code_signing: "1.3.6.1.5.5.7.3.3",
    email_protection: "1.3.6.1.5.5.7.3.4",
    ipsec_end_system: "1.3.6.1.5.5.7.3.5",
    ipsec_tunnel: "1.3.6.1.5.5.7.3.6",
    ipsec_user: "1.3.6.1.5.5.7.3.7",
    timestamping: "1.3.6.1.5.5.7.3.8",
    ocsp_signing: "1.3.6.1.5.5.7.3.9",
    microsoft_server_gated_crypto: "1.3.6.1.4.1.311.10.3.3",
    netscape_server_gated_crypto: "2.16.840.1.113730.4.1",
    microsoft_commercial_code_signing: "1.3.6.1.4.1.311.2.1.22",
    microsoft_kernel_code_signing: "1.3.6.1.4.1.311.61.1.1",
};

export const ALL_USAGES: readonly string[] = [...KEY_USAGES, ...Object.keys(EXTENDED_KEY_USAGES)].sort();
