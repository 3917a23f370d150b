import { existsSync, readFileSync } from "node:fs";
import { ApiClient, type Call } from "./api-client";
import { ApiError } from "./api-error";

const timeoutMilliseconds = 3_000;

/** By what a node's kubelet, and whoever acts as it, is known to the API. */
export interface KubeletCredentials {
    /** PEM of the Kubernetes CA certificate. */
    readonly ca: string;
    /** PEM of several, in the place of that one once it is there. @default none */
    readonly authorities?: string;
    /** PEM of the kubelet's client certificate and its key. The Node authorizer keeps it to this node. */
    readonly client: string;
}

interface ObjectId {
    readonly metadata: { readonly namespace: string; readonly name: string; readonly uid: string };
}

/** The API as a node's kubelet may use it: that node, its pods, and events. */
export class KubeletApi {
    readonly #clients: readonly ApiClient[];

    /** @param apiServers - asked one after the other until one answers */
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
                // A refusal is an answer. To reconnect would cut short what else is asked meanwhile.
                if (error instanceof ApiError && error.status < 500 && error.status !== 401) {
                    throw error;
                }
                last = error;
                // The kubelet may have renewed its certificate.
                client.reconnect();
                // It may have been done in part: an eviction takes of its budget before it takes the pod.
                if (call.method === "POST") {
                    throw error;
                }
            }
        }
        throw last;
    }

    /** A node's pods, of all namespaces. */
    async podsOf<Pod>(node: string): Promise<readonly Pod[]> {
        const selector = encodeURIComponent(`spec.nodeName=${node}`);
        // Not just from the apiserver's memory, which it tells from even when it has lost its etcd.
        return (await this.call<{ items: Pod[] }>(`/api/v1/pods?fieldSelector=${selector}`)).items;
    }

    /** Removes a pod, and none that has its name by now. */
    async remove({ metadata: { namespace, name, uid } }: ObjectId): Promise<void> {
        await this.call(`/api/v1/namespaces/${namespace}/pods/${name}`, {
            method: "DELETE",
            body: { kind: "DeleteOptions", apiVersion: "v1", preconditions: { uid } },
        });
    }

    /** The answer of each apiserver that gives one, over a connection of its own. */
    async callEach<T>(path: string): Promise<T[]> {
        const answers = await Promise.allSettled(
            this.#clients.map((client) => client.call<T>(path, { timeoutMilliseconds, isFresh: true })),
        );
        return answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
    }
}
