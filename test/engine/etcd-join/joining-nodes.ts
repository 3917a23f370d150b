import { setTimeout as sleep } from "node:timers/promises";
import { at, type KubernetesObject, listAt } from "../../../simulator/plugins/kubernetes/object";
import type { ApiServer } from "../apiserver";

const role = "node-role.kubernetes.io/control-plane";

/**
 * Nodes on which the pods of joins succeed, and whose kubelets register missing Nodes. Records which node joined while
 * which of the further controllers ran the control plane.
 */
export class JoiningNodes {
    readonly events: string[] = [];
    #isRunning = true;
    #loop?: Promise<void>;

    constructor(
        private readonly api: ApiServer,
        private readonly names: readonly string[],
    ) {}

    async start(): Promise<void> {
        await this.#register();
        this.#loop = this.#run();
    }

    async #register(): Promise<void> {
        const known = (await this.#list("/api/v1/nodes", {})).map(({ metadata }) => metadata?.name);
        for (const name of this.names.filter((each) => !known.includes(each))) {
            await this.api.cluster.create(
                { apiVersion: "v1", kind: "Node", metadata: { name } },
                { fieldManager: "test" },
            );
            this.events.push(`${name} registers`);
        }
    }

    async stop(): Promise<void> {
        this.#isRunning = false;
        await this.#loop;
    }

    /** Names of the nodes that may run the control plane. */
    async controllers(): Promise<string[]> {
        const nodes = await this.#list("/api/v1/nodes", { labelSelector: role });
        return nodes.map((node) => String(at(node, "metadata", "name")));
    }

    async #list(path: string, query: Record<string, string>): Promise<KubernetesObject[]> {
        return listAt(await this.api.http.send({ method: "GET", path, query }), "items") as KubernetesObject[];
    }

    async #run(): Promise<void> {
        const path = "/api/v1/namespaces/kube-system/pods";
        while (this.#isRunning) {
            const pods = await this.#list(path, { labelSelector: "k8s-app=etcd-join" });
            for (const pod of pods.filter((candidate) => at(candidate, "status", "phase") === "Pending")) {
                const node = at(pod, "spec", "nodeSelector", "kubernetes.io/hostname");
                const others = (await this.controllers()).filter((name) => name !== this.names[0]);
                this.events.push(`${node} joins [${others.join(" ")}]`);
                await this.api.http.send({
                    method: "PATCH",
                    path: `${path}/${pod.metadata?.name}/status`,
                    contentType: "application/merge-patch+json",
                    body: { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } },
                });
            }
            await this.#register();
            await sleep(50);
        }
    }
}
