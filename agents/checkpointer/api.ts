import { ApiError, isNotFound } from "../common/api-error";
import { KubeletApi } from "../common/kubelet-api";
import { leavingAnnotation } from "../common/leaving";
import { type Conditions, isReady } from "../common/ready-condition";
import { type CheckpointerPlan, statusAnnotation } from "./plan";
import type { Owner, Pod } from "./pod";

/** What a Node tells its checkpointer. */
export interface NodeView {
    /** It is being removed from the cluster. */
    readonly isLeaving: boolean;
    /** As its kubelet says, which it is not while it shuts down. */
    readonly isReady: boolean;
    /** What was published last. */
    readonly status?: string;
}

/** What the checkpointer asks of the API. Each is an error if no apiserver answers. */
export interface ApiView {
    /** This node's pods, of all namespaces. */
    pods(): Promise<readonly Pod[]>;
    /** This node's own object. A Node that was deleted tells nothing: somebody may have done so by mistake. */
    node(): Promise<NodeView | undefined>;
    /** Whether a parent that has no pod here is to have one. */
    isWanted(namespace: string, owner: Owner | undefined): Promise<boolean>;
    /** Writes on the Node what runs from where. */
    publish(status: string): Promise<void>;
    /** Removes a pod of this node. */
    remove(pod: Pod): Promise<void>;
}

/** The API as the kubelet may use it: this node's pods, and the node itself. */
export class Api implements ApiView {
    readonly #api: KubeletApi;

    constructor(
        { apiServers, credentials }: CheckpointerPlan,
        private readonly nodeName: string,
    ) {
        this.#api = new KubeletApi(apiServers, credentials, "tradewind-checkpointer");
    }

    pods(): Promise<readonly Pod[]> {
        return this.#api.podsOf(this.nodeName);
    }

    async node(): Promise<NodeView | undefined> {
        try {
            const { metadata, status } = await this.#api.call<Node>(this.#nodePath);
            const { annotations = {} } = metadata;
            return {
                isLeaving: annotations[leavingAnnotation] !== undefined,
                isReady: isReady(status),
                status: annotations[statusAnnotation],
            };
        } catch (error) {
            if (isNotFound(error)) {
                return undefined;
            }
            throw error;
        }
    }

    /** Only a DaemonSet tells; and only one that the kubelet may read, which are the control plane's. */
    async isWanted(namespace: string, owner: Owner | undefined): Promise<boolean> {
        if (owner?.kind !== "DaemonSet") {
            return false;
        }
        try {
            const path = `/apis/apps/v1/namespaces/${namespace}/daemonsets/${owner.name}`;
            const [set, node] = await Promise.all([
                this.#api.call<DaemonSet>(path),
                this.#api.call<Node>(this.#nodePath),
            ]);
            const selector = set.spec.template.spec.nodeSelector ?? {};
            return Object.entries(selector).every(([label, value]) => node.metadata.labels?.[label] === value);
        } catch (error) {
            const isForbidden = error instanceof ApiError && error.status === 403;
            if (isNotFound(error) || isForbidden) {
                return false;
            }
            throw error;
        }
    }

    async publish(status: string): Promise<void> {
        await this.#api.call(this.#nodePath, {
            method: "PATCH",
            contentType: "application/merge-patch+json",
            body: { metadata: { annotations: { [statusAnnotation]: status } } },
        });
    }

    remove(pod: Pod): Promise<void> {
        return this.#api.remove(pod);
    }

    get #nodePath(): string {
        return `/api/v1/nodes/${this.nodeName}`;
    }
}

interface DaemonSet {
    readonly spec: { readonly template: { readonly spec: { readonly nodeSelector?: Record<string, string> } } };
}

interface Node {
    readonly metadata: {
        readonly labels?: Record<string, string>;
        readonly annotations?: Record<string, string>;
    };
    readonly status?: Conditions;
}
