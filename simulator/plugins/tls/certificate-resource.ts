import { sequence } from "../../../clients/x509/der";
import { type AlternativeNames, alternativeNames, name, type Subject } from "../../../clients/x509/extensions";
import { type Certificate, issue, parseIssuer } from "../../../clients/x509/issue";
import { algorithmOf, keyIdentifier, parseKey, publicKeyInfo } from "../../../clients/x509/keys";
import { type CreateOperation, type Properties, type Resource, UNKNOWN } from "../protocol/serve";
import { parseRequest } from "./cert-request";
import {
    COMPUTED,
    certificateDiff,
    checkCertificate,
    isReadyForRenewal,
    keyInput,
    validity,
    validityOutputs,
    withDefaults,
    withoutWriteOnly,
} from "./certificate";

export interface Issued {
    readonly certificate: Certificate;
    /** Outputs in addition to those that all certificates have. */
    readonly outputs: Properties;
}

/** Common to self-signed and CA-signed certificates. */
export interface CertificateKind {
    /** The input with the signing key. */
    readonly keyProperty: "privateKeyPem" | "caPrivateKeyPem";
    /** The output with the key's algorithm. */
    readonly algorithmProperty: "keyAlgorithm" | "caKeyAlgorithm";
    issue(inputs: Properties, times: { notBefore: Date; notAfter: Date }, operation: CreateOperation): Issued;
}

export function certificateResource({ keyProperty, algorithmProperty, issue }: CertificateKind): Resource {
    return {
        async check({ inputs }) {
            return { inputs, failures: checkCertificate(inputs, keyProperty) };
        },
        async diff({ oldInputs, inputs, state }) {
            return certificateDiff(oldInputs, inputs, state);
        },
        async create(operation) {
            const state = withoutWriteOnly(withDefaults(operation.inputs));
            if (operation.preview) {
                const computed = [...COMPUTED, algorithmProperty].map((key) => [key, UNKNOWN]);
                return { id: "", state: { ...state, ...Object.fromEntries(computed) } };
            }
            const times = validity(Number(state.validityPeriodHours));
            const { certificate, outputs } = issue(operation.inputs, times, operation);
            const computed = { certPem: certificate.pem, ...validityOutputs(times), ...outputs };
            return { id: certificate.serialNumber, state: { ...state, ...computed } };
        },
        // Only earlyRenewalHours is changed in place; the certificate stays.
        async update({ inputs, state }) {
            return { ...state, ...withoutWriteOnly(withDefaults(inputs)) };
        },
        async read({ id, inputs, state }) {
            const readyForRenewal = isReadyForRenewal(state.validityEndTime, state.earlyRenewalHours);
            return { id, inputs, state: { ...state, readyForRenewal } };
        },
    };
}

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
        if (isCa && subject.equals(sequence())) throw new Error("subject must not be empty for a CA (got no name)");
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

interface LocallySignedInputs {
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
        const inputs = properties as unknown as LocallySignedInputs;
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
