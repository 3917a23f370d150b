import { readFileSync } from "node:fs";
import { Agent, type RequestOptions, request } from "node:https";
import { join } from "node:path";
import { apiError, isNotFound } from "./api-error";
import type { List } from "./objects";

/** PEM texts of a client certificate with its key, or a bearer token. */
export interface Credentials {
    /** @default - the CAs that Node trusts */
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
    /** Token of a service account, instead of a certificate. */
    readonly token?: string;
    /** Required name in the server's certificate. @default - the URL's */
    readonly servername?: string;
    /** If false, any certificate is accepted. @default true */
    readonly rejectUnauthorized?: boolean;
}

export interface Call {
    readonly method?: "GET" | "PATCH" | "POST" | "DELETE";
    readonly body?: unknown;
    readonly contentType?: string;
    /** Media type of the response. @default "application/json" */
    readonly accept?: string;
    /** Whether to open a new connection for this call. */
    readonly isFresh?: boolean;
    /** @default 10_000 */
    readonly timeoutMilliseconds?: number;
    /** Gets each warning that the API sends with its response. */
    readonly onWarning?: (text: string) => void;
}

/** What calls the API: this client, or a kubelet's. */
export interface Caller {
    call<T>(path: string, call?: Call): Promise<T>;
}

/** An event of a watch; `object` of an error is a Status. */
export interface WatchEvent<T> {
    readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
    readonly object: T;
}

/** What also streams watches. */
export interface Watcher extends Caller {
    watch<T>(
        path: string,
        onEvent: (event: WatchEvent<T>) => void,
        timeoutMilliseconds: number,
        onOpen?: () => void,
    ): Promise<void>;
}

/** A Kubernetes API client. Does not retry: callers decide. */
export class ApiClient implements Watcher {
    readonly #url: string;
    readonly #readCredentials: () => Credentials;
    readonly #userAgent: string;
    #agent?: Agent;
    #hasToken = false;

    /** Certificates are read for the first connection, tokens for every call. */
    constructor(url: string, readCredentials: () => Credentials, userAgent = "tradewind-bootstrap") {
        this.#url = url;
        this.#readCredentials = readCredentials;
        this.#userAgent = userAgent;
    }

    /** Resolves to the parsed response, or throws an `ApiError`. */
    async call<T>(path: string, { body, ...call }: Call = {}): Promise<T> {
        const { status, text } = await this.#send(path, { body, ...call });
        if (status < 200 || status > 299) {
            throw apiError(status, text);
        }
        // A log may look like an object.
        return (text.startsWith("{") && !path.includes("/log?") ? JSON.parse(text) : text) as T;
    }

    /**
     * Streams the events of a watch until the server ends it, or the time is up. Rejects if it breaks off.
     *
     * @param onOpen - is called once the server has accepted the watch, before any event
     */
    async watch<T>(
        path: string,
        onEvent: (event: WatchEvent<T>) => void,
        timeoutMilliseconds: number,
        onOpen?: () => void,
    ): Promise<void> {
        let rest = "";
        const onText = (chunk: string) => {
            const lines = (rest + chunk).split("\n");
            rest = lines.pop()!;
            for (const line of lines) onEvent(JSON.parse(line));
        };
        const { status, text } = await this.#send(path, { timeoutMilliseconds }, onText, onOpen);
        if (status !== 200) throw apiError(status, text);
    }

    /** Drops open connections, because the server process is about to stop. */
    reconnect(): void {
        this.#agent?.destroy();
        this.#agent = undefined;
    }

    /** Acts, and then closes all connections: a program exits once none is open. */
    async closeAfter<T>(act: (api: ApiClient) => Promise<T>): Promise<T> {
        try {
            return await act(this);
        } finally {
            this.reconnect();
        }
    }

    #agentFor(isFresh: boolean): Agent {
        const create = (keepAlive: boolean) => {
            const { token, ...tls } = this.#readCredentials();
            this.#hasToken = token !== undefined;
            return new Agent({ ...tls, keepAlive, maxSockets: 16 });
        };
        if (isFresh) {
            return create(false);
        }
        this.#agent ??= create(true);
        return this.#agent;
    }

    /** @param onText - gets the parts of a successful response as they arrive. @default - they are returned */
    #send(
        path: string,
        { method = "GET", body, isFresh = false, timeoutMilliseconds = 10_000, ...types }: Call,
        onText?: (text: string) => void,
        onOpen?: () => void,
    ) {
        const { contentType, accept = "application/json", onWarning } = types;
        const payload = body === undefined ? undefined : JSON.stringify(body);
        const agent = this.#agentFor(isFresh);
        // Read for every call, because it is renewed.
        const token = this.#hasToken ? this.#readCredentials().token : undefined;
        const options: RequestOptions = {
            method,
            agent,
            signal: AbortSignal.timeout(timeoutMilliseconds),
            headers: {
                accept,
                "user-agent": this.#userAgent,
                ...(token && { authorization: `Bearer ${token.trim()}` }),
                ...(payload !== undefined && {
                    "content-type": contentType ?? "application/json",
                    "content-length": Buffer.byteLength(payload),
                }),
            },
        };
        return new Promise<{ status: number; text: string }>((resolve, reject) => {
            const sent = request(`${this.#url}${path}`, options, (answer) => {
                const chunks: Buffer[] = [];
                if (onWarning)
                    for (const header of answer.headersDistinct.warning ?? []) onWarning(warningText(header));
                if (onText && answer.statusCode === 200) {
                    onOpen?.();
                    answer.setEncoding("utf8").on("data", (text) => {
                        try {
                            onText(text);
                        } catch (error) {
                            answer.destroy(error as Error);
                        }
                    });
                } else {
                    answer.on("data", (chunk) => chunks.push(chunk));
                }
                answer.on("error", reject);
                answer.on("end", () => {
                    const text = Buffer.concat(chunks).toString("utf8");
                    resolve({ status: answer.statusCode ?? 0, text });
                });
            });
            sent.on("error", reject);
            sent.end(payload);
        });
    }
}

/** Text of a Warning header, which quotes it after a code and an agent. Source: RFC 7234, section 5.5. */
function warningText(header: string): string {
    const [, quoted] = /^\d{3} \S+ "(.*)"$/s.exec(header) ?? [];
    return quoted === undefined ? header : quoted.replaceAll(/\\(.)/gs, "$1");
}

/** For a list without contents: names, labels and annotations only. */
export const metadataOnly = { accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" } as const;

/** The items of a list, of all its pages. A path with a `limit` is read in pages of that size. */
export async function list<T>(api: Caller, path: string, call?: Call): Promise<readonly T[]> {
    const { items, metadata } = await api.call<List<T>>(path, call);
    let all = items ?? [];
    for (let next = metadata?.continue; next; ) {
        const page = await api.call<List<T>>(`${path}&continue=${encodeURIComponent(next)}`, call);
        all = [...all, ...(page.items ?? [])];
        next = page.metadata?.continue;
    }
    return all;
}

/** How the API combines a patch with the object. `apply` is server-side apply, whose path names a field manager. */
const patchTypes = {
    merge: "application/merge-patch+json",
    strategic: "application/strategic-merge-patch+json",
    json: "application/json-patch+json",
    // JSON is YAML.
    apply: "application/apply-patch+yaml",
};

export function patch<T>(
    api: Caller,
    path: string,
    kind: keyof typeof patchTypes,
    body: unknown,
    call?: Pick<Call, "accept">,
): Promise<T> {
    return api.call<T>(path, { method: "PATCH", contentType: patchTypes[kind], body, ...call });
}

/** Deletes an object. @returns false if it does not exist */
export async function remove(api: Caller, path: string, options?: object): Promise<boolean> {
    try {
        await api.call(path, { method: "DELETE", ...(options && { body: options }) });
        return true;
    } catch (error) {
        if (isNotFound(error)) return false;
        throw error;
    }
}

const account = "/var/run/secrets/kubernetes.io/serviceaccount";

/** A client with the pod's service account, whose token the kubelet renews. */
export function accountClient(url: string, userAgent: string, directory = account): ApiClient {
    const read = (name: string) => readFileSync(join(directory, name), "utf8");
    return new ApiClient(url, () => ({ ca: read("ca.crt"), token: read("token") }), userAgent);
}

/** Server and credentials in a JSON kubeconfig with inline data, such as those that we create. */
export function readKubeconfig(text: string): {
    server: string;
    credentials: { ca: string; cert: string; key: string };
} {
    const decoded = (base64: string) => Buffer.from(base64, "base64").toString();
    const {
        clusters: [{ cluster }],
        users: [{ user }],
    } = JSON.parse(text);
    return {
        server: cluster.server,
        credentials: {
            ca: decoded(cluster["certificate-authority-data"]),
            cert: decoded(user["client-certificate-data"]),
            key: decoded(user["client-key-data"]),
        },
    };
}
