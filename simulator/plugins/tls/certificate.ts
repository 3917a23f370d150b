import { ALL_USAGES } from "../../../clients/x509/extensions";
import { compare, type Diff, type Failure, isUnknown, type Properties } from "../protocol/serve";

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
        failures.push({ property, reason: `${property} must be ${legal} (got ${JSON.stringify(inputs[property])})` });
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
