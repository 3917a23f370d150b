import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodeRemovalPlan } from "../../../agents/nodes/removal/plan";
import { connectionOf } from "../../../clients/kubernetes/kubeconfig";
import { controllerLabel } from "../../../cluster/labels";
import { owned } from "../../../cluster/manifest";
import { nodeRemovalAccount, nodeRemovalPlan } from "../../../cluster/manifests/nodes/node-removal";
import { paths } from "../../../cluster/paths";
import { resolveCluster } from "../../../cluster/resolve";
import { at, type KubernetesObject } from "../../../simulator/plugins/kubernetes/object";
import { ApiServer } from "../apiserver";
import { runAgent as joinAgent } from "../etcd-join/agent";
import { EtcdCluster } from "../etcd-join/cluster";
import type { Controller } from "../etcd-join/controller";
import { tokenOf } from "../service-account";
import { until } from "../until";
import { StandInNodes } from "./nodes";

/** A cluster of controllers that are all members of a real etcd, and of workers, known to a real API server. */
export class Scene {
    private readonly folder = mkdtempSync(join(tmpdir(), "tradewind-node-removal-"));

    private constructor(
        readonly api: ApiServer,
        readonly etcd: EtcdCluster,
        readonly nodes: StandInNodes,
    ) {}

    static async start(controllers: 3 | 5, workers: readonly string[]): Promise<Scene> {
        const api = await ApiServer.start({ controllers: ["daemonset-controller", "disruption-controller"] });
        const scene = new Scene(api, new EtcdCluster(controllers), new StandInNodes(api));
        try {
            await scene.#build(workers);
        } catch (error) {
            await scene.stop();
            throw error;
        }
        return scene;
    }

    async #build(workers: readonly string[]): Promise<void> {
        const { api, controllers } = this;
        await this.etcd.start();
        for (const controller of controllers.slice(1)) {
            await joinAgent(this.etcd.plan(controller));
        }
        for (const { machine } of controllers) await this.nodes.add(machine.name, "controller");
        for (const worker of workers) await this.nodes.add(worker, "worker");
        this.nodes.start();
        for (const manifest of [...nodeRemovalAccount().map(owned), apiserver]) {
            await api.cluster.apply(manifest as KubernetesObject, { fieldManager: "test", force: false });
        }
        await until("the control plane to run on every controller", async () => {
            const pods = (await this.nodes.pods()).filter((pod) => at(pod, "status", "phase") === "Running");
            return pods.length === controllers.length;
        });
        await this.writeAccount();
    }

    get controllers(): readonly Controller[] {
        return this.etcd.controllers;
    }

    /** The plan of a cluster with this many controllers and these workers, as a file. */
    plan(count: 1 | 3 | 5, workers: number, change: Partial<NodeRemovalPlan> = {}): string {
        const cluster = resolveCluster({
            name: "c",
            controllers: { count },
            workerPools: workers > 0 ? [{ name: "worker", count: workers }] : [],
        });
        const stay = this.controllers.slice(0, count);
        const plan = nodeRemovalPlan(
            cluster,
            stay.map(({ machine }) => machine),
        );
        const { server } = connectionOf(this.api.kubeconfig, {});
        const etcd = { ...plan.etcd, pki: stay[0]!.path(paths.etcdPki) };
        const path = join(this.folder, "plan.json");
        writeFileSync(
            path,
            JSON.stringify({ ...plan, apiServer: server, etcd, serviceAccount: this.folder, ...change }),
        );
        return path;
    }

    async stop(): Promise<void> {
        await this.nodes.stop();
        await this.etcd.remove();
        await this.api.stop();
        rmSync(this.folder, { recursive: true });
    }

    /** The environment of the agent's pod: it has exactly the permissions of its account. */
    private async writeAccount(): Promise<void> {
        const { ca } = connectionOf(this.api.kubeconfig, {});
        writeFileSync(join(this.folder, "ca.crt"), ca ?? "");
        writeFileSync(join(this.folder, "token"), await tokenOf(this.api, "node-removal"));
    }
}

const labels = { "k8s-app": "kube-apiserver" };

/** Stands in for the control plane. */
export const apiserver = {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "kube-apiserver", namespace: "kube-system" },
    spec: {
        selector: { matchLabels: labels },
        template: {
            metadata: { labels },
            spec: {
                nodeSelector: { [controllerLabel]: "" },
                tolerations: [{ operator: "Exists" }],
                containers: [{ name: "kube-apiserver", image: "kube-apiserver" }],
            },
        },
    },
};
