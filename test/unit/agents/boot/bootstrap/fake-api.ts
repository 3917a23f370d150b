import type { IncomingMessage, ServerResponse } from "node:http";
import type { TLSSocket } from "node:tls";

export interface StoredObject {
    readonly kind: string;
    readonly metadata: {
        readonly name: string;
        readonly labels?: Record<string, string>;
        readonly [field: string]: unknown;
    };
    readonly [field: string]: unknown;
}

/** A rejection requested by the test. */
export interface Refusal {
    readonly status: number;
    readonly message: string;
    readonly kind?: string;
}

/** The API's storage and answers, which outlive every process that serves them, like etcd. */
export class FakeApi {
    readonly objects = new Map<string, StoredObject>();
    /** `PATCH /api/v1/…` with its query, in order. */
    readonly requests: string[] = [];
    /** Kinds by group and version, for discovery. */
    readonly kinds: Record<string, Record<string, { plural: string; namespaced: boolean }>> = {
        "/api/v1": {
            Namespace: { plural: "namespaces", namespaced: false },
            ConfigMap: { plural: "configmaps", namespaced: true },
            Secret: { plural: "secrets", namespaced: true },
        },
        "/apis/apps/v1": { DaemonSet: { plural: "daemonsets", namespaced: true } },
    };
    /** Called before a request is served; its result replaces the answer. */
    refuse: (method: string, path: string) => Refusal | "hang up" | undefined = () => undefined;

    async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
        const chunks: Buffer[] = [];
        for await (const chunk of request) {
            chunks.push(chunk);
        }
        const { method = "", url = "" } = request;
        const [path = "", query] = url.split("?");
        const answer = (status: number, body: unknown) => {
            response.writeHead(status, { "content-type": "application/json" });
            response.end(typeof body === "string" ? body : JSON.stringify(body));
        };
        if (["/readyz", "/healthz"].includes(path)) {
            return answer(200, "ok");
        }
        if (!(request.socket as TLSSocket).authorized) {
            return answer(401, failure(401, "Unauthorized"));
        }
        this.requests.push(`${method} ${url}`);
        const refusal = this.refuse(method, path);
        if (refusal === "hang up") {
            request.socket.destroy();
        } else if (refusal !== undefined) {
            answer(refusal.status, failure(refusal.status, refusal.message, refusal.kind));
        } else if (method === "PATCH") {
            this.#patch(
                path,
                request.headers["content-type"] ?? "",
                JSON.parse(Buffer.concat(chunks).toString()),
                answer,
            );
        } else if (method === "DELETE") {
            answer(this.objects.delete(path) ? 200 : 404, {});
        } else if (method === "POST") {
            const object: StoredObject = JSON.parse(Buffer.concat(chunks).toString());
            if (object.metadata.name) this.objects.set(`${path}/${object.metadata.name}`, object);
            answer(201, object);
        } else {
            this.#get(path, query, answer);
        }
    }

    #get(path: string, query: string | undefined, answer: (status: number, body: unknown) => void): void {
        const kinds = this.kinds[path];
        const found = this.objects.get(path);
        if (path === "/version") {
            answer(200, { gitVersion: "v1.36.3" });
        } else if (kinds !== undefined) {
            const resources = Object.entries(kinds).map(([kind, { plural, namespaced }]) => ({
                kind,
                name: plural,
                namespaced,
            }));
            answer(200, { resources });
        } else if (path.endsWith("/pods")) {
            const pods = [...this.objects].filter(([key]) => key.startsWith(`${path}/`)).map(([, pod]) => pod);
            answer(200, { items: pods.filter(selected(new URLSearchParams(query))) });
        } else if (path === "/api/v1/nodes") {
            answer(200, { items: [...this.objects.values()].filter(({ kind }) => kind === "Node") });
        } else {
            answer(found ? 200 : 404, found ?? failure(404, `${path} not found`));
        }
    }

    #patch(path: string, type: string, body: StoredObject, answer: (status: number, body: unknown) => void): void {
        const found = this.objects.get(path);
        const namespace = /^(\/api\/v1\/namespaces\/[^/]+)\/./.exec(
            path.replace(/^\/apis\/[^/]+\/[^/]+/, "/api/v1"),
        )?.[1];
        if (type === "application/merge-patch+json" && found === undefined) {
            answer(404, failure(404, "nodes not found"));
        } else if (namespace !== undefined && !this.objects.has(namespace)) {
            answer(404, failure(404, `namespaces "${namespace.split("/").pop()}" not found`, "namespaces"));
        } else if (type === "application/merge-patch+json") {
            const object = merged(found, body) as StoredObject;
            this.objects.set(path, object);
            answer(200, object);
        } else {
            const labels = { ...found?.metadata.labels, ...body.metadata.labels };
            const object = { ...found, ...body, metadata: { ...found?.metadata, ...body.metadata, labels } };
            this.objects.set(path, object);
            answer(200, object);
        }
    }
}

/** RFC 7396: null removes a field. */
function merged(target: unknown, change: unknown): unknown {
    if (typeof change !== "object" || change === null || Array.isArray(change)) return change;
    const before = typeof target === "object" && target !== null ? target : {};
    const changes = Object.entries(change).map(([key, value]) => [key, merged(Reflect.get(before, key), value)]);
    const all = Object.entries({ ...before, ...Object.fromEntries(changes) });
    return Object.fromEntries(all.filter(([, value]) => value !== null));
}

/** By a node, or else by a label. */
function selected(query: URLSearchParams): (pod: StoredObject) => boolean {
    const node = query.get("fieldSelector")?.replace("spec.nodeName=", "");
    if (node !== undefined) {
        return ({ spec }) => (spec as { nodeName?: string }).nodeName === node;
    }
    const [label = "", value] = (query.get("labelSelector") ?? "").split("=");
    return ({ metadata }) => metadata.labels?.[label] === value;
}

function failure(status: number, message: string, kind?: string) {
    return { kind: "Status", status: "Failure", message, code: status, details: { kind } };
}
