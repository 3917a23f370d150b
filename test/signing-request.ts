import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { type Caller, list } from "../clients/kubernetes/api-client";
import { requestsPath, type SigningRequest } from "../clients/kubernetes/signing-requests";
import type { KubernetesObject } from "../simulator/plugins/kubernetes/object";
import { request } from "../simulator/plugins/tls/cert-request";

/**
 * A CertificateSigningRequest for a node's name.
 *
 * @param ipAddresses - that a server's certificate is for, in addition to the node's name
 * @param key - @default - one that is not kept
 */
export function signingRequest(
    name: string,
    node: string,
    signerName: string,
    usage: string,
    ipAddresses: readonly string[] = [],
    key: KeyObject = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey,
): KubernetesObject {
    const subject = { commonName: `system:node:${node}`, organization: "system:nodes" };
    const dnsNames = usage === "server auth" ? [node] : [];
    const pem = request(subject, { dnsNames, ipAddresses: [...ipAddresses], uris: [] }, key);
    return {
        apiVersion: "certificates.k8s.io/v1",
        kind: "CertificateSigningRequest",
        metadata: { name },
        spec: {
            request: Buffer.from(pem).toString("base64"),
            signerName,
            usages: ["digital signature", usage],
        },
    } as KubernetesObject;
}

/** Requests for a signer, from etcd: the apiserver's cache may lack one that was just created. */
export function currentRequests(api: Caller, signerName: string): Promise<readonly SigningRequest[]> {
    return list<SigningRequest>(api, requestsPath(signerName));
}
