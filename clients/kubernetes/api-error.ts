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
        /** Kubernetes' word for the kind of error, such as `AlreadyExists`. */
        readonly reason?: string,
    ) {
        super(`${status}: ${message}`);
    }
}

export function apiError(status: number, text: string): ApiError {
    const { message, details, reason } = parseStatus(text);
    const causes = [details?.causes ?? []]
        .flat()
        .flatMap((cause) => cause?.message ?? [])
        .map(printable);
    const other = isRedirect(status) ? "a redirect, which no Kubernetes API sends" : text.trim().slice(0, 300);
    const why = (typeof message === "string" && message) || other || "no message";
    return new ApiError(status, printable(why), details?.kind, causes, reason);
}

function isRedirect(status: number): boolean {
    return status >= 300 && status <= 399;
}

export function isNotFound(error: unknown): boolean {
    return error instanceof ApiError && error.status === 404;
}

/** Whether something created the object first. Only a caller that reads it again can continue. */
export function isExisting(error: unknown): boolean {
    return error instanceof ApiError && error.reason === "AlreadyExists";
}

/**
 * Whether the same call may succeed later: network errors, an overloaded or starting API, a namespace that does not exist
 * yet, or a conflicting write. Anything else, such as an error of the agent itself, stays as it is.
 */
export function isTransient(error: unknown): boolean {
    if (!(error instanceof ApiError)) {
        return isNetworkError(error);
    }
    const { status, about } = error;
    const isNamespaceMissing = status === 404 && about === "namespaces";
    const isConflict = status === 409 && !isExisting(error);
    // 200 is of a proxy, until the API behind it is back.
    return status >= 500 || status === 200 || status === 408 || status === 429 || isConflict || isNamespaceMissing;
}

/** Codes of errors that a network, a resolver or a server about to start causes. */
const networkCodes = new Set([
    ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ENOTCONN", "ETIMEDOUT", "EADDRNOTAVAIL", "ENOBUFS"],
    ...["EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH", "ENETDOWN", "ENETRESET"],
    // Of resolvers: a name may have been created a moment ago.
    ...["EAI_AGAIN", "EAI_FAIL", "EAI_NODATA", "EAI_NONAME", "ENOTFOUND", "ENODATA", "ESERVFAIL", "ETIMEOUT"],
    // A response or a TLS handshake that breaks off. Kubelets send the alert while they have no serving certificate.
    ...["EPROTO", "ERR_STREAM_PREMATURE_CLOSE", "HPE_INVALID_EOF_STATE", "ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR"],
    // A mismatched certificate will not match later.
    "CERT_NOT_YET_VALID",
]);

/** Codes of a Unix socket whose server has not started, or has a full queue. */
const socketCodes = ["ENOENT", "EAGAIN"];

function isNetworkError(error: unknown): boolean {
    const { code, name, syscall } = error as { code?: unknown; name?: unknown; syscall?: unknown };
    if (name === "TimeoutError" || name === "AbortError") return true;
    if (typeof code !== "string") return false;
    return networkCodes.has(code) || (syscall === "connect" && socketCodes.includes(code));
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
    message?: unknown;
    reason?: string;
    details?: { kind?: string; causes?: ({ message?: string } | null)[] };
} {
    try {
        return JSON.parse(text) ?? {};
    } catch {
        return {};
    }
}
