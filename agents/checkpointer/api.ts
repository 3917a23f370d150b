import { isNotFound } from "../../clients/kubernetes/api-error";
import { KubeletApi } from "../../clients/kubernetes/kubelet-api";
import { type Conditions, isReady, leavingAnnotation } from "../../clients/kubernetes/nodes";
import type { Pod } from "../../clients/kubernetes/pod";
import { type CheckpointerPlan, statusAnnotation } from "./plan";

/** What the checkpointer reads from its Node. */
export interface NodeView {
    /** It is being removed from the cluster. */
    readonly isLeaving: boolean;
    /** The control plane's DaemonSets run here: it has their label. */
    readonly hasRole: boolean;
    /** As reported by its kubelet: not while it shuts down. */
    readonly isReady: boolean;
    /** The last published status. */
    readonly status?: string;
}

/** The checkpointer's API calls. Each throws if no apiserver answers. */
export interface ApiView {
    /** This node's pods, of all namespaces. */
    pods(): Promise<readonly Pod[]>;
    /** This node's own object, or undefined if the API does not have it: it may have been deleted by mistake. */
    node(): Promise<NodeView | undefined>;
    /** Writes to the Node what runs from where. */
    publish(status: string): Promise<void>;
    /** Removes a pod of this node. */
    remove(pod: Pod): Promise<void>;
}

/** The API with the kubelet's permissions: this node's pods, and the node itself. */
export class Api implements ApiView {
    readonly #api: KubeletApi;
    readonly #controllerLabel: string;

    constructor(
        { apiServers, credentials, controllerLabel }: CheckpointerPlan,
        private readonly nodeName: string,
    ) {
        this.#controllerLabel = controllerLabel;
        this.#api = new KubeletApi(apiServers, credentials, "tradewind-checkpointer");
    }

    pods(): Promise<readonly Pod[]> {
        return this.#api.podsOf(this.nodeName);
    }

    async node(): Promise<NodeView | undefined> {
        try {
            const { metadata, status } = await this.#api.call<Node>(this.#nodePath);
            const { labels = {}, annotations = {} } = metadata;
            return {
                isLeaving: annotations[leavingAnnotation] !== undefined,
                hasRole: this.#controllerLabel in labels,
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

interface Node {
    readonly metadata: {
        readonly labels?: Record<string, string>;
        readonly annotations?: Record<string, string>;
    };
    readonly status?: Conditions;
}
