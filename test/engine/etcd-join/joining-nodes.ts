import { setTimeout as sleep } from "node:timers/promises";
import { at, type KubernetesObject, listAt } from "../../../simulator/kubernetes/object";
import type { ApiServer } from "../apiserver";

const role = "node-role.kubernetes.io/control-plane";

/** Nodes on which the pods of joins end well. Tells which node joined while which ran the control plane. */
export class JoiningNodes {
    readonly events: string[] = [];
    #isRunning = true;
    #loop?: Promise<void>;

    constructor(
        private readonly api: ApiServer,
        private readonly names: readonly string[],
    ) {}

    async start(): Promise<void> {
        for (const name of this.names) {
            await this.api.cluster.create(
                { apiVersion: "v1", kind: "Node", metadata: { name } },
                { fieldManager: "test" },
            );
        }
        this.#loop = this.#run();
    }

    async stop(): Promise<void> {
        this.#isRunning = false;
        await this.#loop;
    }

    /** Names of the nodes that may run the control plane. */
    async controllers(): Promise<string[]> {
        const query = { labelSelector: role };
        const nodes = listAt(await this.api.http.send({ method: "GET", path: "/api/v1/nodes", query }), "items");
        return nodes.map((node) => String(at(node, "metadata", "name")));
    }

    async #run(): Promise<void> {
        const path = "/api/v1/namespaces/kube-system/pods";
        while (this.#isRunning) {
            const query = { labelSelector: "k8s-app=etcd-join" };
            const pods = listAt(
                await this.api.http.send({ method: "GET", path, query }),
                "items",
            ) as KubernetesObject[];
            for (const pod of pods.filter((candidate) => at(candidate, "status", "phase") === "Pending")) {
                const node = at(pod, "spec", "nodeSelector", "kubernetes.io/hostname");
                this.events.push(`${node} joins [${(await this.controllers()).join(" ")}]`);
                await this.api.http.send({
                    method: "PATCH",
                    path: `${path}/${pod.metadata?.name}/status`,
                    contentType: "application/merge-patch+json",
                    body: { status: { phase: "Succeeded" } },
                });
            }
            await sleep(50);
        }
    }
}
