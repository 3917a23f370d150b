import { type Connection, connectionOf } from "../../../clients/kubernetes/kubeconfig";
import type { Config } from "./config";
import { ConnectionError, isRefusal, NoSuchKindError } from "./faults";
import { HttpClient, type Request } from "./http";
import { apiVersionOf, hasNamespace, type Kind, type KubernetesObject, kindOf, listAt } from "./object";
import { retry } from "./retry";

interface Call {
    readonly signal?: AbortSignal;
    readonly isDryRun?: boolean;
}

interface WriteCall extends Call {
    readonly fieldManager: string;
}

// A kube-apiserver may be rolling; its successor serves within this time.
const PATIENCE = 15_000;
/**
 * Measured on the official plugin: how long it tries a port that refuses connections, and one that does not respond.
 */
const REFUSAL_PATIENCE = 5_000;
const SILENCE_PATIENCE = 30_000;

/** The verbs of the API, for objects of any kind. Idempotent requests are retried if there is no answer. */
export class Cluster {
    private readonly http: HttpClient;
    private readonly kinds: ServedKinds;

    constructor(readonly connection: Connection) {
        this.http = new HttpClient(connection);
        this.kinds = new ServedKinds((path) => this.ask({ method: "GET", path }));
    }

    /** @throws if no API server answers */
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

    /** To be called after a definition was added or removed. */
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

    /** Not retried: if the response of a creation is lost, the caller has to find out the result. */
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

    /** Safe to retry because of the object's resourceVersion. */
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

/** The cluster and whether it is reachable. Like the official plugin, this is determined once, on configuration. */
export class Reach {
    private probed?: Promise<Error | undefined>;

    private constructor(
        private readonly connected: Cluster | undefined,
        private readonly obstacle: Error | undefined,
        readonly namespace: string,
    ) {}

    static of(config: Config): Reach {
        let connection: Connection;
        try {
            connection = connectionOf(config.kubeconfig, config);
        } catch (error) {
            return new Reach(
                undefined,
                unreachable(`failed to parse kubeconfig: ${(error as Error).message}`),
                "default",
            );
        }
        return new Reach(new Cluster(connection), undefined, connection.namespace);
    }

    static unconfigured(): Reach {
        return new Reach(undefined, unreachable("the provider is not configured"), "default");
    }

    async isReachable(): Promise<boolean> {
        return (await this.probe()) === undefined;
    }

    /** @throws if it is unreachable */
    async cluster(): Promise<Cluster> {
        const cluster = await this.clusterIfReachable();
        if (!cluster) throw await this.problem();
        return cluster;
    }

    async clusterIfReachable(): Promise<Cluster | undefined> {
        return (await this.isReachable()) ? this.connected : undefined;
    }

    /** Why it is unreachable. */
    async problem(): Promise<Error> {
        return (await this.probe()) ?? unreachable("unknown reason");
    }

    /** Unknown kinds are assumed to be namespaced, as most are. */
    async isNamespaced(kind: Kind): Promise<boolean> {
        const known = hasNamespace(kind);
        if (known !== undefined) return known;
        const cluster = await this.clusterIfReachable();
        return cluster ? cluster.isNamespaced(kind).catch(() => true) : true;
    }

    close(): void {
        this.connected?.close();
    }

    private probe(): Promise<Error | undefined> {
        this.probed ??= this.connected
            ? this.connected.probe().then(() => undefined, explained)
            : Promise.resolve(this.obstacle);
        return this.probed;
    }
}

function explained(error: Error): Error {
    return unreachable(`unable to load schema information from the API server: ${error.message}`);
}

function unreachable(reason: string): Error {
    return new Error(`configured Kubernetes cluster is unreachable: ${reason}`);
}

/** How the API serves a kind. */
interface ServedKind {
    readonly plural: string;
    readonly isNamespaced: boolean;
}

/** URL path of the objects of an API version. */
export function rootOf(kind: Kind): string {
    return `${kind.group ? "/apis" : "/api"}/${apiVersionOf(kind)}`;
}

/** The kinds that the API serves, read once per API version. */
export class ServedKinds {
    private readonly byRoot = new Map<string, Promise<Map<string, ServedKind>>>();

    constructor(private readonly get: (path: string) => Promise<unknown>) {}

    /** @throws {NoSuchKindError} if it is not served, or not yet */
    async find(kind: Kind): Promise<ServedKind> {
        const root = rootOf(kind);
        const known = this.byRoot.get(root) ?? this.discover(root);
        this.byRoot.set(root, known);
        const found = await known.then(
            (kinds) => kinds.get(kind.kind),
            (error) => {
                this.byRoot.delete(root);
                throw error;
            },
        );
        if (found) return found;
        // It may be added at any time, together with its definition.
        this.byRoot.delete(root);
        throw new NoSuchKindError(`no matches for kind "${kind.kind}" in version "${apiVersionOf(kind)}"`);
    }

    /** To be called after a definition was added or removed. */
    forget(): void {
        this.byRoot.clear();
    }

    private async discover(root: string): Promise<Map<string, ServedKind>> {
        const list = await this.get(root).catch((error) => {
            if (error.isNotFound) return {};
            throw error;
        });
        const resources = listAt(list, "resources").filter(({ name }) => !String(name).includes("/"));
        return new Map(
            resources.map(({ kind, name, namespaced }) => [
                String(kind),
                { plural: String(name), isNamespaced: namespaced === true },
            ]),
        );
    }
}
