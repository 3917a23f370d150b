import { printable, printableLine } from "../printable";

/** An error response of the API, from its Status object. */
export class ApiError extends Error {
    override readonly name = "ApiError";

    constructor(
        readonly status: number,
        message: string,
        /** The kind of object concerned, such as `namespaces`. */
        readonly about?: string,
        /** Causes, such as a disruption budget and its numbers. */
        readonly causes: readonly string[] = [],
    ) {
        super(`${status}: ${message}`);
    }
}

export function apiError(status: number, text: string): ApiError {
    const { message, details } = parseStatus(text);
    const causes = (details?.causes ?? []).flatMap((cause) => cause.message ?? []).map(printable);
    const why = message ?? (text.trim().slice(0, 300) || "no message");
    return new ApiError(status, printable(why), details?.kind, causes);
}

export function isNotFound(error: unknown): boolean {
    return error instanceof ApiError && error.status === 404;
}

/**
 * Whether the same call may succeed later: network errors, an overloaded or starting API, a namespace that does not exist
 * yet, or a conflicting write.
 */
export function isTransient(error: unknown): boolean {
    if (!(error instanceof ApiError)) {
        return isNetworkError(error);
    }
    const isNamespaceMissing = error.status === 404 && error.about === "namespaces";
    return error.status >= 500 || error.status === 429 || error.status === 409 || isNamespaceMissing;
}

function isNetworkError(error: unknown): boolean {
    const { code, name } = error as { code?: unknown; name?: unknown };
    // A mismatched certificate will not match later either. A certificate that is not valid yet may become valid.
    const isCertificate = typeof code === "string" && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code);
    if (code === "CERT_NOT_YET_VALID") {
        return true;
    }
    return (typeof code === "string" && !isCertificate) || name === "TimeoutError" || name === "AbortError";
}

/** Result of a call; undefined if the object does not exist. */
export async function ifFound<T>(call: Promise<T>): Promise<T | undefined> {
    try {
        return await call;
    } catch (error) {
        if (isNotFound(error)) {
            return undefined;
        }
        throw error;
    }
}

/** Describes a transient error. Other errors are rethrown. */
export function describePassing(error: unknown): string {
    if (!isTransient(error)) {
        throw error;
    }
    return describeError(error);
}

/** An error in one line, for messages. */
export function describeError(error: unknown): string {
    const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown };
    if ((cause as { name?: unknown } | undefined)?.name === "TimeoutError") {
        return "no answer in time";
    }
    const text = typeof message === "string" && message !== "" ? message : String(code ?? error);
    return printableLine(text.trim());
}

function parseStatus(text: string): {
    message?: string;
    details?: { kind?: string; causes?: { message?: string }[] };
} {
    try {
        return JSON.parse(text);
    } catch {
        return {};
    }
}
