import { patch } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import { KubeletApi, type NodePod, nodesPath, podsPath } from "../../clients/kubernetes/kubelet-api";
import { leavingAnnotation } from "../../clients/kubernetes/nodes";
import { isReady, type Node, type With } from "../../clients/kubernetes/objects";
import { WatchedList } from "../../clients/kubernetes/watched-list";
import { type CheckpointerPlan, statusAnnotation, statusTimeAnnotation } from "./plan";

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
    /**
     * This node's pods, of all namespaces.
     *
     * @param isWatched - whether the state that a watch last reported is enough, which costs no request
     */
    pods(isWatched?: boolean): Promise<readonly NodePod[]>;
    /**
     * This node's own object, as a watch last reported it; undefined if the API does not have it: it may have been
     * deleted by mistake.
     */
    node(): Promise<NodeView | undefined>;
    /** Writes to the Node what runs from where, and when this was published. */
    publish(status: string, now: Date): Promise<void>;
    /** Removes a pod of this node. */
    remove(pod: NodePod): Promise<void>;
}

/** The API with the kubelet's permissions: this node's pods, and the node itself. */
export class Api implements ApiView {
    readonly #api: KubeletApi;
    readonly #nodes: WatchedList<With<Node, "uid">>;
    readonly #pods: WatchedList<NodePod>;
    readonly #controllerLabel: string;

    constructor(
        { apiServers, credentials, controllerLabel }: CheckpointerPlan,
        private readonly nodeName: string,
    ) {
        this.#controllerLabel = controllerLabel;
        this.#api = new KubeletApi(apiServers, credentials, "tradewind-checkpointer");
        this.#nodes = new WatchedList(this.#api, nodesPath(nodeName));
        this.#pods = new WatchedList(this.#api, podsPath(nodeName));
    }

    pods(isWatched = false): Promise<readonly NodePod[]> {
        return isWatched ? this.#pods.read() : this.#api.podsOf(this.nodeName);
    }

    async node(): Promise<NodeView | undefined> {
        const [watched] = await this.#nodes.read();
        // A watch may be late: only the API itself knows that there is no Node.
        const node = watched ?? (await ifFound(this.#api.call<Node>(this.#nodePath)));
        if (node === undefined) return undefined;
        const { labels = {}, annotations = {} } = node.metadata;
        return {
            isLeaving: annotations[leavingAnnotation] !== undefined,
            hasRole: this.#controllerLabel in labels,
            isReady: isReady(node.status),
            status: annotations[statusAnnotation],
        };
    }

    async publish(status: string, now: Date): Promise<void> {
        const annotations = { [statusAnnotation]: status, [statusTimeAnnotation]: now.toISOString() };
        await patch(this.#api, this.#nodePath, "merge", { metadata: { annotations } });
    }

    remove(pod: NodePod): Promise<void> {
        return this.#api.remove(pod);
    }

    get #nodePath(): string {
        return `/api/v1/nodes/${this.nodeName}`;
    }
}
