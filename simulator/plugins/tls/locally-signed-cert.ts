import type { Resource } from "../protocol/serve";
import { parseRequest } from "./cert-request";
import { issue, parseIssuer } from "./certificate";
import { certificateResource, keyInput } from "./certificate-resource";
import { algorithmOf, parseKey } from "./keys";

interface Inputs {
    readonly certRequestPem: string;
    readonly caCertPem: string;
    readonly allowedUses: readonly string[];
    readonly isCaCertificate?: boolean;
    readonly maxPathLength?: number;
    readonly setSubjectKeyId?: boolean;
}

/** `tls.LocallySignedCert`: subject, key and names are those of the request. */
export const locallySignedCert: Resource = certificateResource({
    keyProperty: "caPrivateKeyPem",
    algorithmProperty: "caKeyAlgorithm",
    issue(properties, times, { log }) {
        const inputs = properties as unknown as Inputs;
        const { isCaCertificate: isCa = false, setSubjectKeyId = false } = inputs;
        const key = parseKey(keyInput(properties, "caPrivateKeyPem"), "caPrivateKeyPem");
        const issuer = parseIssuer(inputs.caCertPem, "caCertPem");
        if (!issuer.isCa) log.warn("caCertPem is not a CA certificate: certificates signed with it may be rejected");
        const request = parseRequest(inputs.certRequestPem, "certRequestPem");
        const { allowedUses, maxPathLength } = inputs;
        const template = { ...times, ...request, isCa, setSubjectKeyId, allowedUses, maxPathLength };
        return {
            certificate: issue(template, { ...issuer, key }),
            outputs: { caKeyAlgorithm: algorithmOf(key) },
        };
    },
});
