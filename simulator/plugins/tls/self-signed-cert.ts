import type { Resource } from "../protocol/serve";
import { issue } from "./certificate";
import { certificateResource, keyInput } from "./certificate-resource";
import { sequence } from "./der";
import { type AlternativeNames, alternativeNames } from "./extensions";
import { algorithmOf, keyIdentifier, parseKey, publicKeyInfo } from "./keys";
import { name, type Subject } from "./name";

interface Inputs extends AlternativeNames {
    readonly subject?: Subject;
    readonly allowedUses: readonly string[];
    readonly isCaCertificate?: boolean;
    readonly maxPathLength?: number;
    readonly setSubjectKeyId?: boolean;
    readonly setAuthorityKeyId?: boolean;
}

/** `tls.SelfSignedCert`. */
export const selfSignedCert: Resource = certificateResource({
    keyProperty: "privateKeyPem",
    algorithmProperty: "keyAlgorithm",
    issue(properties, times) {
        const inputs = properties as unknown as Inputs;
        const { isCaCertificate: isCa = false, setSubjectKeyId = false, setAuthorityKeyId = false } = inputs;
        const key = parseKey(keyInput(properties, "privateKeyPem"), "privateKeyPem");
        const publicKey = publicKeyInfo(key);
        const subject = name(inputs.subject ?? {});
        if (isCa && subject.equals(sequence())) throw new Error("subject must not be empty for a CA, got no name");
        const template = {
            ...times,
            subject,
            publicKey,
            isCa,
            setSubjectKeyId,
            alternativeNames: alternativeNames(inputs),
            allowedUses: inputs.allowedUses,
            maxPathLength: inputs.maxPathLength,
        };
        const keyId = setAuthorityKeyId ? keyIdentifier(publicKey) : undefined;
        return {
            certificate: issue(template, { key, keyId }),
            outputs: { keyAlgorithm: algorithmOf(key), setAuthorityKeyId },
        };
    },
});
