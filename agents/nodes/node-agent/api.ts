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
import type { NodeSight } from "./kubelet/decide";
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
export interface NodeView extends NodeSight {
    readonly uid: string;
    readonly resourceVersion: string;
    readonly network: Omit<NetworkView, "uid">;
    /** The version that its annotation names. @default that of its pool */
    readonly override?: string;
    /** The CNI plugins that its annotation names. @default those of its pool */
    readonly cniPlugins?: string;
    /** The container runtime that its annotation names. @default that of its pool */
    readonly containerRuntime?: string;
    /** The runtime that its kubelet found last: `containerd://2.4.2`. */
    readonly runtimeVersion: string;
    /** The boot in which it asked for its turn to reboot. @default - it did not */
    readonly asked?: string;
}

/** What the agent asks of the API. Each is an error if no apiserver answers. */
export interface ApiView {
    readonly nodeName: string;
    node(): Promise<NodeView>;
    /** This node's pods, of all namespaces. */
    pods(): Promise<readonly Pod[]>;
    /** Version of the oldest apiserver that answers, without the `v`. @default none does */
    version(): Promise<string | undefined>;
    /** Whose turn it is to reboot; undefined: nobody's. */
    turn(): Promise<RebootTurn | undefined>;
    /** Asks for the node's turn to reboot, or takes that back. @param boot - undefined: there is nothing to ask for */
    ask(boot: string | undefined): Promise<void>;
    /** Lets no pod be scheduled here, or lets them again. It fails if the Node changed since it was read. */
    cordon(node: NodeView, isCordoned: boolean): Promise<void>;
    /** Asks for a pod's end, and tells in which state it is. */
    evict(pod: Pod): Promise<string>;
    remove(pod: Pod): Promise<void>;
    /** Says whether a pod may be Ready. */
    gate(pod: Pod, isOpen: boolean): Promise<void>;
    tell(node: NodeView, notice: Notice): Promise<void>;
}

/** The API as the kubelet may use it: its own node, that node's pods, and events. */
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
            // There is none before the first turn, nor the right to see it before turns are given.
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
