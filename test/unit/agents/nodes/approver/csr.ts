import { generateKeyPairSync } from "node:crypto";
import { request } from "../../../../../simulator/plugins/tls/cert-request";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

/** A kubelet's certificate request, or one with another name or server names. */
export function csr(
    commonName: string,
    {
        organization = "system:nodes",
        dnsNames = [] as string[],
        ipAddresses = [] as string[],
        uris = [] as string[],
    } = {},
): string {
    return request({ commonName, organization }, { dnsNames, ipAddresses, uris }, privateKey);
}
