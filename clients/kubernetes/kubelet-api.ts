import { existsSync, readFileSync } from "node:fs";
import { ApiClient, type Call, list, type WatchEvent, type Watcher } from "./api-client";
import { ApiError } from "./api-error";
import type { ApiObject, Pod, With } from "./objects";

/** A pod, with what identifies it. */
export type NodePod = With<Pod, "namespace" | "uid">;

const timeoutMilliseconds = 3_000;

/** Credentials of a node's kubelet, also used by agents acting on its behalf. */
export interface KubeletCredentials {
    /** PEM of the Kubernetes CA certificate. */
    readonly ca: string;
    /** PEM bundle that replaces that certificate once it exists. @default none */
    readonly authorities?: string;
    /** PEM of the kubelet's client certificate with its key. The Node authorizer limits it to this node. */
    readonly client: string;
}

/** A node's pods, in the form that the Node authorizer lets its kubelet list and watch them. */
export function podsPath(node: string): string {
    return `/api/v1/pods?fieldSelector=${encodeURIComponent(`spec.nodeName=${node}`)}`;
}

/** A list of only that Node, in such a form. */
export function nodesPath(node: string): string {
    return `/api/v1/nodes?fieldSelector=${encodeURIComponent(`metadata.name=${node}`)}`;
}

/** The parts of the API that a node's kubelet may access: its node, its pods, and events. */
export class KubeletApi implements Watcher {
    readonly #clients: readonly ApiClient[];

    /** @param apiServers - tried one at a time until one answers */
    constructor(apiServers: readonly string[], credentials: KubeletCredentials, userAgent: string) {
        const read = () => {
            const client = readFileSync(credentials.client, "utf8");
            const { ca, authorities } = credentials;
            const trusted = authorities !== undefined && existsSync(authorities) ? authorities : ca;
            return { ca: readFileSync(trusted, "utf8"), cert: client, key: client };
        };
        this.#clients = apiServers.map((url) => new ApiClient(url, read, userAgent));
    }

    async call<T>(path: string, call: Call = {}): Promise<T> {
        let last: unknown;
        for (const client of this.#clients) {
            try {
                return await client.call<T>(path, { timeoutMilliseconds, ...call });
            } catch (error) {
                // An error response is an answer. Reconnecting would interrupt other requests.
                if (error instanceof ApiError && error.status < 500 && error.status !== 401) {
                    throw error;
                }
                last = error;
                // The kubelet may have renewed its certificate.
                client.reconnect();
                // The request may have taken partial effect: an eviction uses up its budget before it removes the pod.
                if (call.method === "POST") {
                    throw error;
                }
            }
        }
        throw last;
    }

    /** At the first apiserver. */
    watch<T>(
        path: string,
        onEvent: (event: WatchEvent<T>) => void,
        timeoutMilliseconds: number,
        onOpen?: () => void,
    ): Promise<void> {
        return this.#clients[0]!.watch(path, onEvent, timeoutMilliseconds, onOpen);
    }

    /** A node's pods in all namespaces. */
    podsOf(node: string): Promise<readonly NodePod[]> {
        // Not from the apiserver's cache, which it serves even if it has lost etcd.
        return list<NodePod>(this, podsPath(node));
    }

    /** Deletes a pod, but not a newer one with the same name. */
    async remove({ metadata: { namespace, name, uid } }: With<ApiObject, "namespace" | "uid">): Promise<void> {
        await this.call(`/api/v1/namespaces/${namespace}/pods/${name}`, {
            method: "DELETE",
            body: { kind: "DeleteOptions", apiVersion: "v1", preconditions: { uid } },
        });
    }

    /** The response of each apiserver that answers, over a new connection. */
    async callEach<T>(path: string): Promise<T[]> {
        const answers = await Promise.allSettled(
            this.#clients.map((client) => client.call<T>(path, { timeoutMilliseconds, isFresh: true })),
        );
        return answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
    }
}
