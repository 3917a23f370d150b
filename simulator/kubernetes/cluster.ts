import { ConnectionError, isRefusal } from "./faults";
import { HttpClient, type Request } from "./http";
import { hasNamespace, type Kind, kindOf } from "./kind";
import type { Connection } from "./kubeconfig";
import { type KubernetesObject, listAt } from "./object";
import { retry } from "./retry";
import { rootOf, ServedKinds } from "./served-kinds";

export interface Call {
    readonly signal?: AbortSignal;
    readonly isDryRun?: boolean;
}

export interface WriteCall extends Call {
    readonly fieldManager: string;
}

// A kube-apiserver may be rolling under us; its successor serves within this time.
const PATIENCE = 15_000;
/** As long as the official plugin was measured to try a port that refuses, and one at which nothing answers. */
const REFUSAL_PATIENCE = 5_000;
const SILENCE_PATIENCE = 30_000;

/** The verbs of the API, for objects of any kind. What can be asked twice is asked again when nobody answers. */
export class Cluster {
    private readonly http: HttpClient;
    private readonly kinds: ServedKinds;

    constructor(readonly connection: Connection) {
        this.http = new HttpClient(connection);
        this.kinds = new ServedKinds((path) => this.ask({ method: "GET", path }));
    }

    /** @throws when no API server answers */
    async probe(signal?: AbortSignal): Promise<void> {
        const began = Date.now();
        const when = (error: unknown) => {
            const patience = isRefusal(error) ? REFUSAL_PATIENCE : SILENCE_PATIENCE;
            return error instanceof ConnectionError && Date.now() - began < patience;
        };
        const send = () => this.http.send({ method: "GET", path: "/version", signal });
        await retry(send, { within: SILENCE_PATIENCE, signal, when });
    }

    async isNamespaced(kind: Kind): Promise<boolean> {
        return hasNamespace(kind) ?? (await this.kinds.find(kind)).isNamespaced;
    }

    async serves(kind: Kind): Promise<boolean> {
        try {
            await this.kinds.find(kind);
            return true;
        } catch {
            return false;
        }
    }

    /** After a definition came or went. */
    forgetKinds(): void {
        this.kinds.forget();
    }

    async get(object: KubernetesObject, { signal }: Call = {}): Promise<KubernetesObject> {
        return this.ask({ method: "GET", path: await this.path(object), signal });
    }

    async list(kind: Kind, namespace: string | undefined, selector: string, { signal }: Call = {}) {
        const path = await this.collection(kind, namespace);
        const list = await this.ask({ method: "GET", path, query: { labelSelector: selector }, signal });
        return listAt(list, "items") as KubernetesObject[];
    }

    /** Not asked twice: what becomes of a creation whose answer got lost is for the caller to find out. */
    async create(object: KubernetesObject, { fieldManager, isDryRun, signal }: WriteCall): Promise<KubernetesObject> {
        const path = await this.collection(kindOf(object), object.metadata?.namespace);
        const query = { fieldManager, dryRun: dryRun(isDryRun) };
        return (await this.http.send({ method: "POST", path, query, body: object, signal })) as KubernetesObject;
    }

    /** Server-side apply. */
    async apply(object: KubernetesObject, { fieldManager, isDryRun, signal, force }: WriteCall & { force: boolean }) {
        const query = { fieldManager, force: String(force), dryRun: dryRun(isDryRun) };
        return this.patch(object, "application/apply-patch+yaml", object, { query, signal });
    }

    async patch(
        object: KubernetesObject,
        contentType: string,
        body: unknown,
        options: Pick<Request, "query" | "signal"> = {},
    ): Promise<KubernetesObject> {
        return this.ask({ method: "PATCH", path: await this.path(object), contentType, body, ...options });
    }

    /** The object's resourceVersion makes it safe to ask twice. */
    async replace(object: KubernetesObject, { fieldManager, isDryRun, signal }: WriteCall): Promise<KubernetesObject> {
        const query = { fieldManager, dryRun: dryRun(isDryRun) };
        return this.ask({ method: "PUT", path: await this.path(object), query, body: object, signal });
    }

    async delete(object: KubernetesObject, propagationPolicy: string, { signal }: Call = {}): Promise<void> {
        await this.ask({ method: "DELETE", path: await this.path(object), body: { propagationPolicy }, signal });
    }

    close(): void {
        this.http.close();
    }

    private ask(request: Request): Promise<KubernetesObject> {
        const send = () => this.http.send(request) as Promise<KubernetesObject>;
        return retry(send, { within: PATIENCE, signal: request.signal });
    }

    private async path(object: KubernetesObject): Promise<string> {
        const { name = "", namespace } = object.metadata ?? {};
        return `${await this.collection(kindOf(object), namespace)}/${encodeURIComponent(name)}`;
    }

    private async collection(kind: Kind, namespace: string | undefined): Promise<string> {
        const { plural, isNamespaced } = await this.kinds.find(kind);
        const scope = isNamespaced ? `/namespaces/${namespace ?? this.connection.namespace}` : "";
        return `${rootOf(kind)}${scope}/${plural}`;
    }
}

function dryRun(isDryRun = false): string | undefined {
    return isDryRun ? "All" : undefined;
}
