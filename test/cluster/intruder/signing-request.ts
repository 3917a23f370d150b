import { generateKeyPairSync } from "node:crypto";
import { request } from "../../../simulator/plugins/tls/cert-request";

/**
 * A CertificateSigningRequest for a node's name, with a key that is not kept.
 *
 * @param ipAddresses - that a server's certificate is for, in addition to the node's name
 */
export function signingRequest(
    name: string,
    node: string,
    signerName: string,
    usage: string,
    ipAddresses: readonly string[] = [],
): object {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const subject = { commonName: `system:node:${node}`, organization: "system:nodes" };
    const dnsNames = usage === "server auth" ? [node] : [];
    const pem = request(subject, { dnsNames, ipAddresses: [...ipAddresses], uris: [] }, privateKey);
    return {
        apiVersion: "certificates.k8s.io/v1",
        kind: "CertificateSigningRequest",
        metadata: { name },
        spec: {
            request: Buffer.from(pem).toString("base64"),
            signerName,
            usages: ["digital signature", usage],
        },
    };
}
