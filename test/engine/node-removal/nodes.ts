import { setTimeout as sleep } from "node:timers/promises";
import { statusAnnotation } from "../../../agents/checkpointer/plan";
import { leavingAnnotation } from "../../../clients/kubernetes/nodes";
import { controllerLabel, poolLabel } from "../../../cluster/labels";
import { at, type KubernetesObject, listAt } from "../../../simulator/plugins/kubernetes/object";
import type { ApiServer } from "../apiserver";

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const mergePatch = "application/merge-patch+json";
const apiserver = "kube-system/kube-apiserver";
const saved = JSON.stringify({ [apiserver]: { runs: "api", checkpoint: { generation: "1a", savedAt: "2026-11-21" } } });
const forgotten = JSON.stringify({ [apiserver]: { runs: "api" } });

/** Nodes with minimal kubelets: their pods are Ready at once, and end on request. */
export class StandInNodes {
    /** Events, in order: `cordoned c-worker-0`, `ended default/web-0`, `forgot c-controller-2`, `gone …`. */
    readonly events: string[] = [];
    readonly #observed = new Set<string>();
    readonly #lost = new Set<string>();
    /** Nodes whose checkpointers do nothing. */
    readonly withoutCheckpointer = new Set<string>();
    #isRunning = true;
    #loop?: Promise<void>;

    /** @param mayBeReady - whether a pod that was started may be Ready now */
    constructor(
        private readonly api: ApiServer,
        private readonly mayBeReady: (pod: KubernetesObject) => boolean = () => true,
    ) {}

    /** A controller runs the control plane from a DaemonSet, and its checkpointer has saved it. */
    async add(name: string, pool: string): Promise<void> {
        const role: Record<string, string> = pool === "controller" ? { [controllerLabel]: "" } : {};
        const labels = { [poolLabel]: pool, "kubernetes.io/hostname": name, ...role };
        const annotations: Record<string, string> = pool === "controller" ? { [statusAnnotation]: saved } : {};
        await this.api.cluster.create(
            { apiVersion: "v1", kind: "Node", metadata: { name, labels, annotations } },
            { fieldManager: "test" },
        );
        await this.#ready(name, "True");
        await this.patch(name, { spec: { taints: null } });
    }

    /** The machine is lost: nothing ends its pods. */
    async lose(name: string): Promise<void> {
        this.#lost.add(name);
        await this.#ready(name, "Unknown");
    }

    /** The lost machine is back. */
    async regain(name: string): Promise<void> {
        this.#lost.delete(name);
        await this.#ready(name, "True");
    }

    patch(name: string, body: object): Promise<unknown> {
        return this.#send("PATCH", `/api/v1/nodes/${name}`, body);
    }

    start(): void {
        this.#loop = this.#run();
    }

    async stop(): Promise<void> {
        this.#isRunning = false;
        await this.#loop;
    }

    async nodes(): Promise<KubernetesObject[]> {
        return this.#list("/api/v1/nodes");
    }

    async names(): Promise<string[]> {
        return (await this.nodes()).map(({ metadata }) => metadata!.name!).sort();
    }

    /** A pod without an owner, which is Ready soon. */
    async runPod(name: string, nodeName: string, labels: Record<string, string> = {}): Promise<void> {
        await this.api.cluster.create(
            {
                apiVersion: "v1",
                kind: "Pod",
                metadata: { name, namespace: "default", labels },
                spec: { nodeName, containers: [{ name: "pause", image: "pause" }] },
            },
            { fieldManager: "test" },
        );
    }

    pods(): Promise<KubernetesObject[]> {
        return this.#list("/api/v1/pods");
    }

    async #run(): Promise<void> {
        while (this.#isRunning) {
            const pods = await this.pods();
            // After the pods, so that changes to a node before a pod ends are seen first.
            await this.#watchNodes();
            // The pod may be deleted meanwhile.
            await Promise.all(pods.map((pod) => this.#work(pod).catch(() => {})));
            await sleep(20);
        }
    }

    async #work(pod: KubernetesObject): Promise<void> {
        const { namespace, name = "" } = pod.metadata!;
        const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
        const node = at(pod, "spec", "nodeName") as string | undefined;
        if (node === undefined) {
            const terms = listAt(pod, "spec", "affinity", "nodeAffinity", required, "nodeSelectorTerms");
            const [desired] = terms
                .flatMap((term) => listAt(term, "matchFields"))
                .flatMap(({ values }) => values as string[]);
            const target = { apiVersion: "v1", kind: "Node", name: desired };
            const body = { apiVersion: "v1", kind: "Binding", metadata: { name: pod.metadata!.name }, target };
            await this.#send("POST", `${path}/binding`, body);
        } else if (this.#lost.has(node)) {
            return;
        } else if (at(pod, "metadata", "deletionTimestamp")) {
            await this.api.http.send({ method: "DELETE", path, query: { gracePeriodSeconds: "0" } });
            this.#once(`ended ${namespace}/${name.replace(/^kube-apiserver-.*/, `apiserver on ${node}`)}`);
        } else if (at(pod, "status", "phase") !== "Running" && this.mayBeReady(pod)) {
            const conditions = [{ type: "Ready", status: "True" }];
            await this.#send("PATCH", `${path}/status`, { status: { phase: "Running", conditions } });
        }
    }

    async #watchNodes(): Promise<void> {
        const names = new Set<string>();
        for (const node of await this.nodes()) {
            const name = node.metadata!.name!;
            names.add(name);
            this.#observed.add(name);
            if (at(node, "spec", "unschedulable")) this.#once(`cordoned ${name}`);
            await this.#forget(node);
        }
        for (const name of [...this.#observed].filter((each) => !names.has(each))) {
            this.#observed.delete(name);
            this.#once(`gone ${name}`);
        }
    }

    /** What a checkpointer does on a node that is being removed. */
    async #forget({ metadata }: KubernetesObject): Promise<void> {
        const { name = "", annotations = {} } = metadata!;
        const isAtWork = !this.withoutCheckpointer.has(name) && !this.#lost.has(name);
        if (isAtWork && annotations[leavingAnnotation] && annotations[statusAnnotation] === saved) {
            await this.patch(name, { metadata: { annotations: { [statusAnnotation]: forgotten } } });
            this.#once(`forgot ${name}`);
        }
    }

    #once(event: string): void {
        if (!this.events.includes(event)) this.events.push(event);
    }

    #ready(name: string, status: string): Promise<unknown> {
        return this.#send("PATCH", `/api/v1/nodes/${name}/status`, {
            status: { conditions: [{ type: "Ready", status }] },
        });
    }

    async #list(path: string): Promise<KubernetesObject[]> {
        return listAt(await this.api.http.send({ method: "GET", path }), "items") as KubernetesObject[];
    }

    #send(method: "POST" | "PATCH", path: string, body: object): Promise<unknown> {
        return this.api.http.send({ method, path, body, ...(method === "PATCH" && { contentType: mergePatch }) });
    }
}
