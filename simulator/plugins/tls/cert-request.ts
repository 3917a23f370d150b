import { createHash, type KeyObject } from "node:crypto";
import { child, children, type Der, integer, oid, sequence, set, tagged } from "../../../clients/x509/der";
import {
    type AlternativeNames,
    alternativeNames,
    extension,
    findExtension,
    ipBytes,
    name,
    SUBJECT_ALTERNATIVE_NAME,
    type Subject,
} from "../../../clients/x509/extensions";
import { algorithmOf, fromPem, parseKey, publicKeyInfo, signed, toPem } from "../../../clients/x509/keys";
import { compare, type Failure, isUnknown, type Resource, UNKNOWN } from "../protocol/serve";
import { keyInput, withoutWriteOnly } from "./certificate";

const LABEL = "CERTIFICATE REQUEST";
const EXTENSION_REQUEST = oid("1.2.840.113549.1.9.14");

/** Writes and signs a certificate request (PKCS #10). */
export function request(subject: Subject, names: AlternativeNames, key: KeyObject): string {
    const value = alternativeNames(names);
    const attributes = value
        ? sequence(EXTENSION_REQUEST, set(sequence(extension(SUBJECT_ALTERNATIVE_NAME, value))))
        : Buffer.alloc(0);
    const body = sequence(integer(0), name(subject), publicKeyInfo(key), tagged(0, attributes));
    return toPem(LABEL, signed(body, key));
}

/** The parts of a request that go into the certificate. */
export function parseRequest(
    pem: string,
    property: string,
): { subject: Der; publicKey: Der; alternativeNames: Der | undefined } {
    const body = child(fromPem(LABEL, pem, property), 0);
    const [, , , attributes = tagged(0, Buffer.alloc(0))] = children(body);
    const requested = children(attributes).find((attribute) => child(attribute, 0).equals(EXTENSION_REQUEST));
    const [extensions] = requested ? children(child(requested, 1)) : [];
    const alternativeNames = findExtension(extensions, SUBJECT_ALTERNATIVE_NAME);
    return { subject: child(body, 1), publicKey: child(body, 2), alternativeNames };
}

/** `tls.CertRequest`. */
export const certRequest: Resource = {
    async check({ inputs }) {
        const failures: Failure[] = [];
        for (const address of [inputs.ipAddresses ?? []].flat()) {
            if (isUnknown(address)) continue;
            try {
                ipBytes(String(address));
            } catch (error) {
                failures.push({ property: "ipAddresses", reason: (error as Error).message });
            }
        }
        if ((inputs.privateKeyPem === undefined) === (inputs.privateKeyPemWo === undefined)) {
            const reason = "exactly one of privateKeyPem and privateKeyPemWo must be given";
            failures.push({ property: "privateKeyPem", reason });
        }
        return { inputs, failures };
    },
    async diff({ oldInputs, inputs }) {
        return compare(withoutWriteOnly(oldInputs), withoutWriteOnly(inputs), () => true);
    },
    async create({ inputs, preview }) {
        const state = withoutWriteOnly(inputs);
        if (preview) return { id: "", state: { ...state, certRequestPem: UNKNOWN, keyAlgorithm: UNKNOWN } };
        const key = parseKey(keyInput(inputs, "privateKeyPem"), "privateKeyPem");
        const certRequestPem = request((inputs.subject ?? {}) as Subject, inputs as AlternativeNames, key);
        const id = createHash("sha1").update(certRequestPem).digest("hex");
        return { id, state: { ...state, certRequestPem, keyAlgorithm: algorithmOf(key) } };
    },
};
