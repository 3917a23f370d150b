import { jsonText, shownValue } from "../clients/shown-value";

const dnsLabel = /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** A label of a DNS name. Since RFC 1123 it may start with a digit. */
const domainLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const labelName = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
export const labelValue = /^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/;
// NodeRestriction allows a kubelet to set only these labels of the reserved domains on its node. Source:
// `kubelettypes.IsKubeletLabel`.
const selfAssignable = /^(([a-z0-9-]+\.)*(node|kubelet)\.kubernetes\.io\/|topology\.kubernetes\.io\/(zone|region)$)/;

/** The error for bad input: `<option> must be <legal> (got <value>)`. */
export function invalid(option: string, legal: string, value: unknown): Error {
    return new Error(`${option} must be ${legal} (got ${textOf(value)})`);
}

/** The error for an illegal value: `<option> must not <what> (got <value>)`. */
export function mustNot(option: string, what: string, value?: unknown): Error {
    return new Error(`${option} must not ${what}${gotten(value)}`);
}

/** The error for options that exclude each other: `<option> conflicts with <other> (got <value>)`. */
export function conflictsWith(option: string, other: string, value?: unknown): Error {
    return new Error(`${option} conflicts with ${other}${gotten(value)}`);
}

/** The error for a missing option that another one needs: `<option> requires <other> (got <value>)`. */
export function requires(option: string, other: string, value?: unknown): Error {
    return new Error(`${option} requires ${other}${gotten(value)}`);
}

function gotten(value: unknown): string {
    return value === undefined ? "" : ` (got ${textOf(value)})`;
}

function textOf(value: unknown): string {
    return shownValue(typeof value === "string" ? value || '""' : (jsonText(value) ?? "undefined"));
}

export function requireDnsLabel(option: string, value: string): void {
    if (!dnsLabel.test(value)) {
        throw invalid(option, "a DNS label (a-z, 0-9 and -, starting with a letter, 63 characters at most)", value);
    }
}

export function requireNamespace(option: string, value: string): void {
    if (!domainLabel.test(value)) {
        throw invalid(option, "the name of a namespace (a-z, 0-9 and -, 63 characters at most)", value);
    }
}

export function requireDnsName(option: string, value: string): void {
    // Programs take a name whose last label is a number for an IP address.
    if (!isDnsSubdomain(value) || /(^|\.)\d+$/.test(value)) throw invalid(option, "a lower-case DNS name", value);
}

/** A name of lower-case DNS labels. */
export function isDnsSubdomain(value: string): boolean {
    return value.length <= 253 && value.split(".").every((label) => domainLabel.test(label));
}

/** Source: Kubernetes' `IsQualifiedName`. */
export function isQualifiedName(key: string): boolean {
    const [name = "", prefix, ...others] = key.split("/").reverse();
    return labelName.test(name) && (prefix === undefined || isDnsSubdomain(prefix)) && others.length === 0;
}

export function requireOneOf<T extends string | number | boolean>(
    option: string,
    legal: readonly T[],
    value: unknown,
): T {
    if (!legal.includes(value as T)) throw invalid(option, `one of ${legal.join(", ")}`, value);
    return value as T;
}

export function requireMatch(option: string, pattern: RegExp, legal: string, value: string): string {
    if (!pattern.test(value)) throw invalid(option, legal, value);
    return value;
}

export function requireCount(option: string, value: number, max: number): void {
    if (!Number.isInteger(value) || value < 0 || value > max) {
        throw invalid(option, `a whole number from 0 to ${max}`, value);
    }
}

/** @param cloudProvider - the cloud controller that sets the nodes' zone and region. @default none */
export function requireLabels(option: string, labels: Record<string, string>, cloudProvider?: string): void {
    for (const [key, value] of Object.entries(labels)) {
        if (!isQualifiedName(key)) throw invalid(`a key of ${option}`, "a Kubernetes label key", key);
        if (/(^|\.)(kubernetes|k8s)\.io\//.test(key) && !selfAssignable.test(key)) {
            throw invalid(
                `a key of ${option}`,
                "one that a kubelet may set on its own node (in kubernetes.io and k8s.io: node.kubernetes.io/…, kubelet.kubernetes.io/…, topology.kubernetes.io/zone and region)",
                key,
            );
        }
        if (cloudProvider !== undefined && key.startsWith("topology.kubernetes.io/")) {
            throw mustNot(`a key of ${option}`, "be a label of zone or region, which the cloud controller sets", key);
        }
        if (!labelValue.test(value)) throw invalid(`${option}.${key}`, "a Kubernetes label value", value);
    }
}
