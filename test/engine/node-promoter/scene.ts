import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { etcdJoinApp } from "../../../agents/etcd/join/plan";
import { demotionName } from "../../../agents/nodes/demotion/plan";
import { memberLabel, type NodePromoterPlan } from "../../../agents/nodes/promoter/plan";
import { type Controllers, controllersConfig, controllersKey, demotedKey } from "../../../agents/nodes/promoter/record";
import { ApiClient } from "../../../clients/kubernetes/api-client";
import { connectionOf, credentialsOf } from "../../../clients/kubernetes/kubeconfig";
import type { ConfigMap } from "../../../clients/kubernetes/objects";
import { controllerLabel } from "../../../cluster/labels";
import { peerUrl } from "../../../cluster/manifests/etcd/member";
import { paths } from "../../../cluster/paths";
import { at, type KubernetesObject } from "../../../simulator/plugins/kubernetes/object";
import { ApiServer } from "../apiserver";
import { runAgent as joinAgent } from "../etcd-join/agent";
import { EtcdCluster } from "../etcd-join/cluster";
import { StandInNodes } from "../node-removal/nodes";
import { apiserver } from "../node-removal/scene";
import { until } from "../until";
import { Machine } from "./machine";

const configPath = `/api/v1/namespaces/kube-system/configmaps/${controllersConfig}`;

/** Three controllers and two candidates, with a real etcd and a real API server. */
export class Scene {
    readonly machines: readonly Machine[];
    readonly etcd = new EtcdCluster(5);
    readonly nodes: StandInNodes;
    /** What the promoters logged. */
    output = "";
    kills = 0;
    readonly #folder = mkdtempSync(join(tmpdir(), "tradewind-node-promoter-"));
    readonly #promoters = new Map<string, ChildProcess>();
    #config: ConfigMap = { metadata: { name: "" } };
    #isRunning = true;
    #loop?: Promise<void>;

    private constructor(readonly api: ApiServer) {
        this.machines = this.etcd.controllers.map((controller) => new Machine(controller, this.etcd));
        this.nodes = new StandInNodes(api, (pod) => this.#mayBeReady(pod));
    }

    static async start(): Promise<Scene> {
        const scene = new Scene(await ApiServer.start({ controllers: ["daemonset-controller"] }));
        try {
            await scene.#build();
        } catch (error) {
            await scene.stop();
            throw error;
        }
        return scene;
    }

    async #build(): Promise<void> {
        const { api, etcd, machines, nodes } = this;
        await etcd.start();
        for (const { controller } of machines.slice(1, 3)) await joinAgent(etcd.plan(controller));
        for (const [index, { name }] of machines.entries()) await nodes.add(name, index < 3 ? "controller" : "default");
        const config = {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name: controllersConfig, namespace: system },
        };
        const agents = machines.map(({ name }, index) => joinSet(name, index >= 3));
        for (const object of [config, apiserver, ...agents, demotionSet]) {
            await api.cluster.create(object, { fieldManager: "test" });
        }
        nodes.start();
        writeFileSync(
            join(this.#folder, "credentials"),
            JSON.stringify(credentialsOf(connectionOf(api.kubeconfig, {}))),
        );
        this.#loop = this.#run();
        await until("the control plane to run on three controllers", async () => {
            const pods = (await nodes.pods()).filter((pod) => at(pod, "status", "phase") === "Running");
            return pods.filter(({ metadata }) => metadata?.name?.startsWith("kube-apiserver")).length === 3;
        });
    }

    /** A client of the administrator. */
    get client(): ApiClient {
        const connection = connectionOf(this.api.kubeconfig, {});
        return new ApiClient(connection.server, () => credentialsOf(connection));
    }

    async lose(machine: Machine): Promise<void> {
        machine.isLost = true;
        machine.keepOnly(new Set());
        this.#promoters.get(machine.name)?.kill("SIGKILL");
        await machine.controller.kubelet.cutPower();
        await this.nodes.lose(machine.name);
    }

    async regain(machine: Machine): Promise<void> {
        machine.isLost = false;
        machine.controller.restart();
        await this.nodes.regain(machine.name);
    }

    get record(): Controllers {
        return JSON.parse(this.#config.data?.[controllersKey] ?? "{}");
    }

    async labels(machine: Machine): Promise<{ role: boolean; label?: string }> {
        const node = (await this.nodes.nodes()).find(({ metadata }) => metadata?.name === machine.name);
        const labels = node?.metadata?.labels ?? {};
        const label = labels[memberLabel];
        return { role: controllerLabel in labels, ...(label && { label }) };
    }

    async #run(): Promise<void> {
        while (this.#isRunning) {
            this.#config = (await this.api.http.send({ method: "GET", path: configPath })) as unknown as ConfigMap;
            const pods = await this.nodes.pods();
            const nodes = await this.nodes.nodes();
            for (const machine of this.machines) {
                const own = pods.filter((pod) => at(pod, "spec", "nodeName") === machine.name);
                machine.keepOnly(new Set(own.map(({ metadata }) => metadata!.uid!)));
                const node = nodes.find(({ metadata }) => metadata?.name === machine.name);
                this.#supervise(machine, controllerLabel in (node?.metadata?.labels ?? {}));
            }
            await new Promise((resolve) => setTimeout(resolve, 100));
        }
    }

    /** Runs a promoter on each controller, and starts it again after each kill. */
    #supervise(machine: Machine, hasRole: boolean): void {
        const running = this.#promoters.get(machine.name);
        if (machine.isLost || !hasRole) {
            running?.kill("SIGKILL");
            return;
        }
        if (running !== undefined) return;
        const args = [join(__dirname, "crashing-agent.ts"), this.#plan(machine), join(this.#folder, "credentials")];
        const child = spawn(process.execPath, ["--require", "tsx/cjs", ...args], { stdio: ["ignore", "pipe", "pipe"] });
        for (const stream of [child.stdout, child.stderr]) {
            stream.on("data", (text) => {
                this.output += `${machine.name}: ${text}`;
            });
        }
        child.once("exit", () => {
            this.#promoters.delete(machine.name);
            this.kills++;
        });
        this.#promoters.set(machine.name, child);
    }

    #plan({ controller, name }: Machine): string {
        const machines = this.machines.map((each) => each.controller.machine);
        const plan: NodePromoterPlan = {
            apiServer: connectionOf(this.api.kubeconfig, {}).server,
            etcd: `https://${controller.machine.address}:2379`,
            pki: controller.path(paths.etcdPki),
            controllerLabel,
            count: 3,
            peerUrls: Object.fromEntries(machines.map((each) => [each.name, peerUrl(each)])),
            candidates: machines.slice(3).map((each) => each.name),
            replaceAfter: 2,
        };
        const path = join(this.#folder, `${name}.json`);
        writeFileSync(path, JSON.stringify(plan));
        return path;
    }

    #mayBeReady(pod: KubernetesObject): boolean {
        const app = pod.metadata?.labels?.["k8s-app"] ?? "";
        if (app !== etcdJoinApp && app !== demotionName) return true;
        const name = at(pod, "spec", "nodeName") as string;
        const isDemoted = Object.hasOwn(this.#config.data ?? {}, demotedKey(name));
        return this.machines.find((each) => each.name === name)!.mayBeReady(pod.metadata!.uid!, app, isDemoted);
    }

    async stop(): Promise<void> {
        this.#isRunning = false;
        await this.#loop;
        for (const child of this.#promoters.values()) child.kill("SIGKILL");
        for (const machine of this.machines) machine.keepOnly(new Set());
        await this.nodes.stop();
        await this.etcd.remove();
        await this.api.stop();
        rmSync(this.#folder, { recursive: true });
    }
}

const system = "kube-system";

function daemonSet(name: string, labels: Record<string, string>, nodeSelector: Record<string, string>) {
    const container = { name: "agent", image: "agent" };
    const spec = { nodeSelector, tolerations: [{ operator: "Exists" }], containers: [container] };
    return {
        apiVersion: "apps/v1",
        kind: "DaemonSet",
        metadata: { name, namespace: system },
        spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    };
}

function joinSet(node: string, isCandidate: boolean) {
    const selector = { "kubernetes.io/hostname": node, ...(isCandidate && { [memberLabel]: "joining" }) };
    return daemonSet(`etcd-join-${node}`, { "k8s-app": etcdJoinApp, "tradewind.dev/node": node }, selector);
}

const demotionSet = daemonSet(demotionName, { "k8s-app": demotionName }, { [memberLabel]: "leaving" });
