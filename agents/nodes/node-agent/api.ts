import { patch } from "../../../clients/kubernetes/api-client";
import { ApiError } from "../../../clients/kubernetes/api-error";
import { KubeletApi, type NodePod, nodesPath, podsPath } from "../../../clients/kubernetes/kubelet-api";
import { isOlderMinor } from "../../../clients/kubernetes/minor";
import {
    eventsPath,
    isWithoutCni,
    kubeletVersion,
    leavingAnnotation,
    type Notice,
    nodeEvent,
} from "../../../clients/kubernetes/nodes";
import { condition, isReady, type Node, type Version, type With } from "../../../clients/kubernetes/objects";
import { evict } from "../../../clients/kubernetes/pods";
import {
    type RebootLease,
    type RebootTurn,
    rebootAnnotation,
    rebootLeasePath,
    turnOf,
} from "../../../clients/kubernetes/reboot-turn";
import { WatchedList } from "../../../clients/kubernetes/watched-list";
import type { NodeObservation } from "./kubelet/decide";
import {
    cniPluginsAnnotation,
    containerRuntimeAnnotation,
    cordonAnnotation,
    type NodeAgentPlan,
    readyGate,
    versionAnnotation,
} from "./plan";
import { flannelAnnotation, type NetworkView } from "./rejoin-network";

/** A Node, with what is needed to change it. */
export interface NodeView extends NodeObservation {
    readonly uid: string;
    readonly resourceVersion: string;
    readonly network: Omit<NetworkView, "uid">;
    /** The version in its annotation. @default - that of its pool */
    readonly override?: string;
    /** The CNI plugins in its annotation. @default - those of its pool */
    readonly cniPlugins?: string;
    /** The container runtime in its annotation. @default - that of its pool */
    readonly containerRuntime?: string;
    /** The runtime last reported by its kubelet: `containerd://2.4.2`. */
    readonly runtimeVersion: string;
    /** The boot in which it requested its turn to reboot. @default - no request */
    readonly asked?: string;
}

/** The agent's API calls. Each throws if no apiserver answers. */
export interface ApiView {
    readonly nodeName: string;
    /** @param isWatched - whether the state that a watch last reported is enough, which costs no request */
    node(isWatched?: boolean): Promise<NodeView>;
    /** This node's pods, of all namespaces. @param isWatched - as for the node */
    pods(isWatched?: boolean): Promise<readonly NodePod[]>;
    /** Version of the oldest apiserver that answers, without the `v`. @default - none answers */
    version(): Promise<string | undefined>;
    /** Whose turn it is to reboot; undefined if it is no node's. */
    turn(): Promise<RebootTurn | undefined>;
    /** Requests the node's turn to reboot, or withdraws the request. @param boot - undefined to withdraw */
    ask(boot: string | undefined): Promise<void>;
    /** Cordons or uncordons the node. Fails if the Node has changed since it was read. */
    cordon(node: NodeView, isCordoned: boolean): Promise<void>;
    /** Requests a pod's eviction and returns its state. */
    evict(pod: NodePod): Promise<string>;
    remove(pod: NodePod): Promise<void>;
    /** Sets whether a pod may be Ready. */
    gate(pod: NodePod, isOpen: boolean): Promise<void>;
    report(node: NodeView, notice: Notice): Promise<void>;
}

type OwnNode = With<Node, "uid" | "resourceVersion">;

type ApiPlan = Pick<NodeAgentPlan, "apiServers" | "credentials" | "hasOwnCni" | "apiIdleSeconds">;

/** The API with the kubelet's permissions: its own node, that node's pods, and events. */
export class Api implements ApiView {
    readonly #api: KubeletApi;
    readonly #nodes: WatchedList<OwnNode>;
    readonly #pods: WatchedList<NodePod>;
    readonly #hasOwnCni: boolean;

    constructor(
        { apiServers, credentials, hasOwnCni = false, apiIdleSeconds }: ApiPlan,
        readonly nodeName: string,
    ) {
        this.#hasOwnCni = hasOwnCni;
        this.#api = new KubeletApi(apiServers, credentials, "tradewind-node-agent");
        this.#nodes = new WatchedList(this.#api, nodesPath(nodeName), undefined, apiIdleSeconds);
        this.#pods = new WatchedList(this.#api, podsPath(nodeName), undefined, apiIdleSeconds);
    }

    async node(isWatched = false): Promise<NodeView> {
        const [watched] = isWatched ? await this.#nodes.read() : [];
        // A Node that does not exist is reported as such.
        const node = watched ?? (await this.#api.call<OwnNode>(this.#nodePath));
        const { metadata, spec, status } = node;
        const { annotations = {}, uid, resourceVersion } = metadata;
        return {
            uid,
            resourceVersion,
            network: { isJoined: annotations[flannelAnnotation] === "true", podCidrs: spec?.podCIDRs ?? [] },
            version: kubeletVersion(node),
            isReady: isReady(status) || (this.#hasOwnCni && isWithoutCni(condition(status, "Ready")?.message)),
            isCordoned: spec?.unschedulable ?? false,
            isOurs: annotations[cordonAnnotation] !== undefined,
            isLeaving: annotations[leavingAnnotation] !== undefined,
            ...(annotations[versionAnnotation] && { override: annotations[versionAnnotation] }),
            ...(annotations[cniPluginsAnnotation] && { cniPlugins: annotations[cniPluginsAnnotation] }),
            ...(annotations[containerRuntimeAnnotation] && {
                containerRuntime: annotations[containerRuntimeAnnotation],
            }),
            runtimeVersion: status?.nodeInfo?.containerRuntimeVersion ?? "",
            ...(annotations[rebootAnnotation] && { asked: annotations[rebootAnnotation] }),
        };
    }

    pods(isWatched = false): Promise<readonly NodePod[]> {
        return isWatched ? this.#pods.read() : this.#api.podsOf(this.nodeName);
    }

    async version(): Promise<string | undefined> {
        const versions = (await this.#api.callEach<Version>("/version")).map(({ gitVersion }) =>
            gitVersion.replace(/^v/, ""),
        );
        return versions.reduce<string | undefined>(
            (oldest, each) => (oldest === undefined || isOlderMinor(each, oldest) ? each : oldest),
            undefined,
        );
    }

    async turn(): Promise<RebootTurn | undefined> {
        try {
            return turnOf(await this.#api.call<RebootLease>(rebootLeasePath));
        } catch (error) {
            // It does not exist before the first turn, nor is there permission to read it before turns are given.
            if (error instanceof ApiError && (error.status === 404 || error.status === 403)) {
                return undefined;
            }
            throw error;
        }
    }

    async ask(boot: string | undefined): Promise<void> {
        const annotations = { [rebootAnnotation]: boot ?? null };
        await patch(this.#api, this.#nodePath, "merge", { metadata: { annotations } });
    }

    async cordon({ resourceVersion }: NodeView, isCordoned: boolean): Promise<void> {
        await patch(this.#api, this.#nodePath, "merge", {
            metadata: { resourceVersion, annotations: { [cordonAnnotation]: isCordoned ? "true" : null } },
            spec: { unschedulable: isCordoned || null },
        });
    }

    evict(pod: NodePod): Promise<string> {
        return evict(this.#api, pod);
    }

    remove(pod: NodePod): Promise<void> {
        return this.#api.remove(pod);
    }

    async gate({ metadata: { namespace, name, uid } }: NodePod, isOpen: boolean): Promise<void> {
        const lastTransitionTime = new Date().toISOString();
        const condition = { type: readyGate, status: isOpen ? "True" : "False", lastTransitionTime };
        const body = { metadata: { uid }, status: { conditions: [condition] } };
        await patch(this.#api, `/api/v1/namespaces/${namespace}/pods/${name}/status`, "strategic", body);
    }

    async report({ uid }: NodeView, notice: Notice): Promise<void> {
        const name = this.nodeName;
        const body = nodeEvent({ name, uid }, notice, { component: "node-agent", host: name });
        await this.#api.call(eventsPath, { method: "POST", body });
    }

    get #nodePath(): string {
        return `/api/v1/nodes/${this.nodeName}`;
    }
}
