import type { LogHeaders, LogOptions } from "./options";
import { certificates } from "./registry-mirrors";
import { conflictsWith, invalid, mustNot, requireOneOf, requires } from "./validate";

/** Where logs are sent, and which. */
export interface Logs {
    readonly protocol: (typeof logProtocols)[number];
    readonly url: string;
    /** PEM. @default - public CAs */
    readonly ca?: string;
    /** Whether the audit log is sent too. */
    readonly audit: boolean;
}

export const logProtocols = ["otlp", "syslog"] as const;

/** Throws `logs.<key> must be <legal> (got <value>)`. @param auditLog - the option of that name */
export function resolveLogs({ protocol: given, url, ca, audit }: LogOptions, auditLog = true): Logs {
    const protocol = requireOneOf("logs.protocol", logProtocols, given);
    const { isPrivate } = protocol === "otlp" ? requireOtlpUrl(url) : requireSyslogUrl(url);
    if (ca !== undefined) {
        if (!certificates.test(ca)) throw invalid("logs.ca", "certificates in PEM form", ca);
        if (!isPrivate) throw conflictsWith("logs.ca", "a URL without TLS", url);
    }
    if (audit !== undefined) requireOneOf("logs.audit", [true, false], audit);
    if (audit && !auditLog) throw requires("logs.audit", "auditLog");
    return { protocol, url, ...(ca !== undefined && { ca }), audit: audit ?? auditLog };
}

function requireOtlpUrl(text: string): { readonly isPrivate: boolean } {
    const url = plainUrl(text);
    if (!url || !/^https?:$/.test(url.protocol)) {
        const legal =
            "an http:// or https:// URL without credentials, query or fragment, such as https://loki.example/otlp";
        throw invalid("logs.url", legal, text);
    }
    // The collector adds it.
    if (/\/v1\/logs\/?$/.test(url.pathname)) throw mustNot("logs.url", "end with /v1/logs", text);
    return { isPrivate: url.protocol === "https:" };
}

function requireSyslogUrl(text: string): { readonly isPrivate: boolean } {
    const url = plainUrl(text);
    if (!url || !/^(tls|tcp):$/.test(url.protocol) || !Number(url.port) || !/^\/?$/.test(url.pathname)) {
        throw invalid("logs.url", "tls://<host>:<port> or tcp://<host>:<port>", text);
    }
    return { isPrivate: url.protocol === "tls:" };
}

function plainUrl(text: string): URL | undefined {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return url?.hostname && !url.username && !url.password && !url.search && !url.hash ? url : undefined;
}

/** Host and port of a server for syslog. An IPv6 address is in brackets. */
export function syslogServer(url: string): { readonly host: string; readonly port: number } {
    const { hostname, port } = new URL(url);
    return { host: hostname, port: Number(port) };
}

/** Throws unless all headers can be sent, in private. Does not print any. */
export function requireLogHeaders(
    logs: Pick<Logs, "protocol" | "url"> | undefined,
    headers: LogHeaders = {},
): LogHeaders {
    const entries = Object.entries(headers);
    if (entries.length === 0) return headers;
    if (logs === undefined) throw requires("logHeaders", "logs");
    if (logs.protocol !== "otlp") throw conflictsWith("logHeaders", "logs.protocol", logs.protocol);
    if (!logs.url.startsWith("https:")) throw conflictsWith("logHeaders", "a URL without TLS", logs.url);
    for (const [name, value] of entries) {
        if (!/^[A-Za-z0-9-]+$/.test(name)) throw invalid("a key of logHeaders", "the name of an HTTP header", name);
        // Not the value, which is a secret.
        if (!/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value)) {
            throw new Error(`logHeaders.${name} must be text of ASCII characters in one line`);
        }
    }
    return headers;
}
