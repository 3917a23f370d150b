import { ApiError } from "../../../clients/kubernetes/api-error";
import { evict } from "../../../clients/kubernetes/evict";
import { KubeletApi } from "../../../clients/kubernetes/kubelet-api";
import { eventsPath, type Notice, nodeEvent } from "../../../clients/kubernetes/node-event";
import { type Conditions, isNewerMinor, isReady, leavingAnnotation } from "../../../clients/kubernetes/nodes";
import type { Pod } from "../../../clients/kubernetes/pod";
import {
    type RebootLease,
    type RebootTurn,
    rebootAnnotation,
    rebootLeasePath,
    turnOf,
} from "../../../clients/kubernetes/reboot-turn";
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
    node(): Promise<NodeView>;
    /** This node's pods, of all namespaces. */
    pods(): Promise<readonly Pod[]>;
    /** Version of the oldest apiserver that answers, without the `v`. @default - none answers */
    version(): Promise<string | undefined>;
    /** Whose turn it is to reboot; undefined if it is no node's. */
    turn(): Promise<RebootTurn | undefined>;
    /** Requests the node's turn to reboot, or withdraws the request. @param boot - undefined to withdraw */
    ask(boot: string | undefined): Promise<void>;
    /** Cordons or uncordons the node. Fails if the Node has changed since it was read. */
    cordon(node: NodeView, isCordoned: boolean): Promise<void>;
    /** Requests a pod's eviction and returns its state. */
    evict(pod: Pod): Promise<string>;
    remove(pod: Pod): Promise<void>;
    /** Sets whether a pod may be Ready. */
    gate(pod: Pod, isOpen: boolean): Promise<void>;
    tell(node: NodeView, notice: Notice): Promise<void>;
}

/** The API with the kubelet's permissions: its own node, that node's pods, and events. */
export class Api implements ApiView {
    readonly #api: KubeletApi;

    constructor(
        { apiServers, credentials }: NodeAgentPlan,
        readonly nodeName: string,
    ) {
        this.#api = new KubeletApi(apiServers, credentials, "tradewind-node-agent");
    }

    async node(): Promise<NodeView> {
        const { metadata, spec, status } = await this.#api.call<Node>(this.#nodePath);
        const { annotations = {}, uid, resourceVersion } = metadata;
        return {
            uid,
            resourceVersion,
            network: { isJoined: annotations[flannelAnnotation] === "true", podCidrs: spec?.podCIDRs ?? [] },
            version: status.nodeInfo.kubeletVersion.replace(/^v/, ""),
            isReady: isReady(status),
            isCordoned: spec?.unschedulable ?? false,
            isOurs: annotations[cordonAnnotation] !== undefined,
            isLeaving: annotations[leavingAnnotation] !== undefined,
            ...(annotations[versionAnnotation] && { override: annotations[versionAnnotation] }),
            ...(annotations[cniPluginsAnnotation] && { cniPlugins: annotations[cniPluginsAnnotation] }),
            ...(annotations[containerRuntimeAnnotation] && {
                containerRuntime: annotations[containerRuntimeAnnotation],
            }),
            runtimeVersion: status.nodeInfo.containerRuntimeVersion,
            ...(annotations[rebootAnnotation] && { asked: annotations[rebootAnnotation] }),
        };
    }

    pods(): Promise<readonly Pod[]> {
        return this.#api.podsOf(this.nodeName);
    }

    async version(): Promise<string | undefined> {
        const versions = (await this.#api.callEach<{ gitVersion: string }>("/version")).map(({ gitVersion }) =>
            gitVersion.replace(/^v/, ""),
        );
        return versions.reduce<string | undefined>(
            (oldest, each) => (oldest === undefined || isNewerMinor(oldest, each) ? each : oldest),
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
        await this.#api.call(this.#nodePath, {
            method: "PATCH",
            contentType: "application/merge-patch+json",
            body: { metadata: { annotations: { [rebootAnnotation]: boot ?? null } } },
        });
    }

    async cordon({ resourceVersion }: NodeView, isCordoned: boolean): Promise<void> {
        await this.#api.call(this.#nodePath, {
            method: "PATCH",
            contentType: "application/merge-patch+json",
            body: {
                metadata: { resourceVersion, annotations: { [cordonAnnotation]: isCordoned ? "true" : null } },
                spec: { unschedulable: isCordoned || null },
            },
        });
    }

    evict(pod: Pod): Promise<string> {
        return evict(this.#api, pod);
    }

    remove(pod: Pod): Promise<void> {
        return this.#api.remove(pod);
    }

    async gate({ metadata: { namespace, name, uid } }: Pod, isOpen: boolean): Promise<void> {
        const lastTransitionTime = new Date().toISOString();
        const condition = { type: readyGate, status: isOpen ? "True" : "False", lastTransitionTime };
        await this.#api.call(`/api/v1/namespaces/${namespace}/pods/${name}/status`, {
            method: "PATCH",
            contentType: "application/strategic-merge-patch+json",
            body: { metadata: { uid }, status: { conditions: [condition] } },
        });
    }

    async tell({ uid }: NodeView, notice: Notice): Promise<void> {
        const name = this.nodeName;
        const body = nodeEvent({ name, uid }, notice, { component: "node-agent", host: name });
        await this.#api.call(eventsPath, { method: "POST", body });
    }

    get #nodePath(): string {
        return `/api/v1/nodes/${this.nodeName}`;
    }
}

interface Node {
    readonly metadata: {
        readonly uid: string;
        readonly resourceVersion: string;
        readonly annotations?: Record<string, string>;
    };
    readonly spec?: { readonly unschedulable?: boolean; readonly podCIDRs?: readonly string[] };
    readonly status: Conditions & {
        readonly nodeInfo: { readonly kubeletVersion: string; readonly containerRuntimeVersion: string };
    };
}
