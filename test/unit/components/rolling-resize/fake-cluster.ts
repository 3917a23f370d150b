import type { ApiClient } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import { controllerLabel } from "../../../../cluster/labels";

export interface FakePod {
    readonly node: string;
    readonly namespace?: string;
    readonly container: string;
    readonly isReady?: boolean;
    readonly owner?: string;
}

/** A cluster with given nodes and pods, which records requests. */
export class FakeCluster {
    readonly asked: string[] = [];
    readonly nodes: Record<string, { isController: boolean; isReady: boolean; annotations: object; spec: object }> = {};
    pods: Record<string, FakePod> = {};
    /** Error for each request. */
    refusal: Error | undefined;

    readonly api = {
        call: async (path: string, call: { method?: string; body?: object } = {}) => this.#answer(path, call),
    } as ApiClient;

    node(name: string, isController = false): void {
        this.nodes[name] = { isController, isReady: true, annotations: {}, spec: {} };
    }

    #answer(path: string, { method = "GET", body = {} }: { method?: string; body?: object }): unknown {
        if (this.refusal) throw this.refusal;
        const [, eviction] = /\/pods\/([^/]+)\/eviction$/.exec(path) ?? [];
        if (eviction) {
            this.asked.push(`evict ${eviction}`);
            delete this.pods[eviction];
            return {};
        }
        const [, name] = /^\/api\/v1\/nodes\/(.+)$/.exec(path) ?? [];
        if (name && method === "PATCH") {
            const { spec, metadata } = body as { spec: object; metadata: { annotations: object } };
            this.asked.push(`patch ${name} ${JSON.stringify({ ...spec, ...metadata.annotations })}`);
            Object.assign(this.nodes[name]!, { spec, annotations: metadata.annotations });
            return {};
        }
        if (name) {
            if (!this.nodes[name]) throw new ApiError(404, "not found");
            return this.#node(name);
        }
        if (path === "/api/v1/nodes") return { items: Object.keys(this.nodes).map((each) => this.#node(each)) };
        const [, node] = /fieldSelector=spec\.nodeName%3D(.+)$/.exec(path) ?? [];
        const all = Object.entries(this.pods).map(([each, pod]) => podOf(each, pod));
        return {
            items: all.filter(({ spec, metadata }) =>
                node ? spec.nodeName === node : metadata.namespace === "kube-system",
            ),
        };
    }

    #node(name: string): object {
        const { isController, isReady, annotations, spec } = this.nodes[name]!;
        return {
            metadata: {
                name,
                labels: isController ? { [controllerLabel]: "" } : {},
                annotations: Object.fromEntries(Object.entries(annotations).filter(([, value]) => value !== null)),
            },
            spec,
            status: conditions(isReady),
        };
    }
}

function podOf(name: string, { node, namespace = "kube-system", container, isReady = true, owner = "" }: FakePod) {
    return {
        metadata: { name, namespace, ownerReferences: owner ? [{ kind: owner, controller: true }] : [] },
        spec: { nodeName: node },
        status: { phase: "Running", ...conditions(isReady), containerStatuses: [{ containerID: container }] },
    };
}

function conditions(isReady: boolean) {
    return { conditions: [{ type: "Ready", status: isReady ? "True" : "False" }] };
}
