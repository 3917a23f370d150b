import { at, listAt } from "./object";

/** An error response of the API server. */
export class ApiError extends Error {
    readonly reason: string;

    constructor(
        readonly status: number,
        readonly body: unknown,
        /** Seconds after which the server allows a retry. */
        readonly retryAfter?: number,
    ) {
        super(String(at(body, "message") ?? (body || `the API server answered ${status}`)));
        this.reason = String(at(body, "reason") ?? "");
    }

    /** The fields that the server rejects, by reason. */
    causes(type: string): string[] {
        const causes = listAt(this.body, "details", "causes").filter((cause) => cause.reason === type);
        return causes.map((cause) => String(cause.field));
    }

    get isNotFound(): boolean {
        return this.status === 404;
    }

    get isAlreadyExists(): boolean {
        return this.reason === "AlreadyExists";
    }

    get isConflict(): boolean {
        return this.status === 409 && !this.isAlreadyExists;
    }

    get isForbidden(): boolean {
        return this.status === 403;
    }

    /** The server is running but cannot respond right now: starting, stopping, or overloaded. */
    get isPassing(): boolean {
        return this.status === 429 || this.status === 503 || this.status === 504 || this.isStorageTrouble;
    }

    private get isStorageTrouble(): boolean {
        return this.status === 500 && /etcdserver: (leader changed|request timed out)|no leader/.test(this.message);
    }
}

/** The API has no such kind: a custom resource whose definition does not exist, or not yet. */
export class NoSuchKindError extends Error {}

/** No response at all. `wasSent` if the request may have been carried out anyway. */
export class ConnectionError extends Error {
    constructor(
        cause: Error,
        readonly server: string,
        readonly wasSent: boolean,
    ) {
        super(`${server}: ${describe(cause)}`, { cause });
    }
}

/** Nothing listens on the port. */
export function isRefusal(error: unknown): boolean {
    return error instanceof ConnectionError && codeOf(error.cause as CodedError) === "ECONNREFUSED";
}

/** Whether a retry may help. */
export function isPassing(error: unknown): boolean {
    return error instanceof ConnectionError || (error instanceof ApiError && error.isPassing);
}

export function isNotFound(error: unknown): boolean {
    return error instanceof ApiError && error.isNotFound;
}

type CodedError = Error & { readonly code?: string; readonly errors?: readonly CodedError[] };

/** Node tries every address of a name and wraps the errors; the first one is enough. */
function first(cause: CodedError): CodedError {
    return cause.errors?.[0] ?? cause;
}

function codeOf(cause: CodedError): string | undefined {
    return first(cause).code;
}

function describe(cause: CodedError): string {
    const { code, message } = first(cause);
    return code === "ECONNREFUSED" ? `connection refused (${message})` : message || String(code);
}
