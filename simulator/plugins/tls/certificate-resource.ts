import { type CreateOperation, type Properties, type Resource, UNKNOWN } from "../protocol/serve";
import {
    type Certificate,
    COMPUTED,
    certificateDiff,
    checkCertificate,
    isReadyForRenewal,
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

/** The signing key of a certificate, as a normal or a write-only input. */
export function keyInput(inputs: Properties, property: string): string {
    return String(inputs[property] ?? inputs[`${property}Wo`]);
}
