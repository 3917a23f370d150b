import { type KeyObject, randomBytes, X509Certificate } from "node:crypto";
import { compare, type Diff, type Failure, isUnknown, type Properties } from "../protocol/serve";
import { children, content, type Der, integer, sequence, tagged, time } from "./der";
import * as extensions from "./extensions";
import { ALL_USAGES } from "./extensions";
import { fromPem, keyIdentifier, signatureAlgorithm, signed, toPem } from "./keys";

interface Template {
    /** A distinguished name. */
    readonly subject: Der;
    /** SubjectPublicKeyInfo. */
    readonly publicKey: Der;
    /** The value of the subject alternative name extension. */
    readonly alternativeNames?: Der;
    readonly allowedUses: readonly string[];
    readonly isCa: boolean;
    readonly maxPathLength?: number;
    readonly setSubjectKeyId: boolean;
    readonly notBefore: Date;
    readonly notAfter: Date;
}

/** The issuer. */
interface Issuer {
    /** @default the certificate's own subject */
    readonly subject?: Der;
    /** Written as the authority key identifier. */
    readonly keyId?: Buffer;
    readonly key: KeyObject;
}

export interface Certificate {
    readonly pem: string;
    /** In decimals. */
    readonly serialNumber: string;
}

const EMPTY_NAME = sequence();

/** Writes and signs a version 3 certificate, with the extensions that Go's x509 package would write. */
export function issue(template: Template, issuer: Issuer): Certificate {
    const { subject, publicKey, allowedUses, isCa, alternativeNames } = template;
    const serial = randomBytes(16);
    const hasSubjectKeyId = isCa || template.setSubjectKeyId;
    const body = sequence(
        tagged(0, integer(2)),
        integer(serial),
        signatureAlgorithm(issuer.key).identifier,
        issuer.subject ?? subject,
        sequence(time(template.notBefore), time(template.notAfter)),
        subject,
        publicKey,
        tagged(
            3,
            sequence(
                ...extensions.keyUsage(allowedUses),
                ...extensions.extendedKeyUsage(allowedUses),
                extensions.basicConstraints(isCa, template.maxPathLength),
                ...(hasSubjectKeyId ? [extensions.subjectKeyId(keyIdentifier(publicKey))] : []),
                ...(issuer.keyId ? [extensions.authorityKeyId(issuer.keyId)] : []),
                ...(alternativeNames ? [subjectAlternativeName(alternativeNames, subject)] : []),
            ),
        ),
    );
    return {
        pem: toPem("CERTIFICATE", signed(body, issuer.key)),
        serialNumber: BigInt(`0x${serial.toString("hex")}`).toString(),
    };
}

/** The issuer's data in a CA certificate. */
export function parseIssuer(pem: string, property: string): { subject: Der; keyId?: Buffer; isCa: boolean } {
    const der = fromPem("CERTIFICATE", pem, property);
    const fields = children(children(der)[0]);
    const list = fields.find((field) => field[0] === 0xa3);
    const keyId = extensions.findExtension(list && children(list)[0], extensions.SUBJECT_KEY_ID);
    return { subject: fields[5], keyId: keyId && content(keyId), isCa: new X509Certificate(der).ca };
}

// Without a subject the names are the only identity, so the extension is critical (RFC 5280 4.2.1.6).
function subjectAlternativeName(names: Der, subject: Der): Der {
    const critical = subject.equals(EMPTY_NAME);
    return extensions.extension(extensions.SUBJECT_ALTERNATIVE_NAME, names, { critical });
}

const HOUR = 3_600_000;

/** The outputs that are unknown in a preview. */
export const COMPUTED = ["certPem", "validityStartTime", "validityEndTime"];

/** Inputs with the provider's defaults, as they appear in the outputs. */
export function withDefaults(inputs: Properties): Properties {
    const { earlyRenewalHours = 0, isCaCertificate = false, setSubjectKeyId = false } = inputs;
    return { ...inputs, earlyRenewalHours, isCaCertificate, setSubjectKeyId, readyForRenewal: false };
}

/** Starting now, like the official provider: not backdated. */
export function validity(hours: number, now = new Date()) {
    const notAfter = new Date(now.getTime() + hours * HOUR);
    return { notBefore: now, notAfter };
}

export function validityOutputs({ notBefore, notAfter }: { notBefore: Date; notAfter: Date }) {
    return { validityStartTime: notBefore.toISOString(), validityEndTime: notAfter.toISOString() };
}

/** Whether the certificate has expired, or is in its last `earlyRenewalHours`. */
export function isReadyForRenewal(validityEndTime: unknown, earlyRenewalHours: unknown = 0, now = Date.now()): boolean {
    const end = Date.parse(String(validityEndTime));
    return end - Number(earlyRenewalHours) * HOUR <= now;
}

/** Any change creates a new certificate, except that of the renewal time; a due renewal also does. */
export function certificateDiff(oldInputs: Properties, inputs: Properties, state: Properties, now = Date.now()): Diff {
    const { changes } = compare(
        withoutWriteOnly(oldInputs),
        withoutWriteOnly(inputs),
        (path) => path !== "earlyRenewalHours",
    );
    const isDue = isReadyForRenewal(state.validityEndTime, inputs.earlyRenewalHours, now);
    return { changes: isDue ? { ...changes, readyForRenewal: { kind: "update", replace: true } } : changes };
}

/** Write-only inputs are neither recorded nor compared; their version is. */
export function withoutWriteOnly(inputs: Properties): Properties {
    return Object.fromEntries(Object.entries(inputs).filter(([key]) => !key.endsWith("Wo")));
}

export function checkCertificate(inputs: Properties, keyProperty: string): Failure[] {
    const failures: Failure[] = [];
    const fail = (property: string, legal: string) =>
        failures.push({ property, reason: `${property} must be ${legal}, got ${JSON.stringify(inputs[property])}` });
    for (const property of ["validityPeriodHours", "earlyRenewalHours"]) {
        const value = inputs[property] ?? 0;
        if (!isUnknown(value) && !(Number.isInteger(value) && Number(value) >= 0))
            fail(property, "a whole number of hours");
    }
    const { allowedUses } = inputs;
    const isLegal = (use: unknown) => isUnknown(use) || ALL_USAGES.includes(use as string);
    if (!isUnknown(allowedUses) && !(Array.isArray(allowedUses) && allowedUses.every(isLegal))) {
        fail("allowedUses", `a list of ${ALL_USAGES.join(", ")}`);
    }
    if ((inputs[keyProperty] === undefined) === (inputs[`${keyProperty}Wo`] === undefined)) {
        const reason = `exactly one of ${keyProperty} and ${keyProperty}Wo must be given`;
        failures.push({ property: keyProperty, reason });
    }
    return failures;
}

/** The signing key of a certificate, as a normal or a write-only input. */
export function keyInput(inputs: Properties, property: string): string {
    return String(inputs[property] ?? inputs[`${property}Wo`]);
}
