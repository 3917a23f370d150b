import { setTimeout as sleep } from "node:timers/promises";
import { at, type KubernetesObject, listAt } from "../../../simulator/plugins/kubernetes/object";
import type { ApiServer } from "../apiserver";

const NODE = { apiVersion: "v1", kind: "Node", metadata: { name: "fake" } };

/**
 * A minimal scheduler and kubelet: pods are Ready at once, except those with an image named `broken`, whose containers
 * crash, those named `slow`, which become ready on request, and those named `succeeding` and `failing`, which end.
 */
export class FakeNode {
    private isRunning = true;
    private isSlow = true;
    private loop?: Promise<void>;

    constructor(private readonly api: ApiServer) {}

    async start(): Promise<void> {
        await this.api.cluster.create(NODE, { fieldManager: "test" });
        const status = {
            conditions: [{ type: "Ready", status: "True" }],
            allocatable: { cpu: "8", memory: "16Gi", pods: "99" },
        };
        await this.status("/api/v1/nodes/fake", status);
        // New nodes have a taint that no controller here would remove once they are Ready.
        await this.api.cluster.patch(NODE, "application/merge-patch+json", { spec: { taints: null } });
        this.loop = this.run();
    }

    /** Whether pods named `slow` stay unready, from now on. */
    holdSlowPods(isHeld: boolean): void {
        this.isSlow = isHeld;
    }

    async stop(): Promise<void> {
        this.isRunning = false;
        await this.loop;
    }

    private async run(): Promise<void> {
        while (this.isRunning) {
            const pods = await this.api.http.send({ method: "GET", path: "/api/v1/pods" }).catch(() => ({}));
            // The pod may be deleted meanwhile, and the API may be unavailable.
            await Promise.all(listAt(pods, "items").map((pod) => this.work(pod).catch(() => {})));
            await sleep(50);
        }
    }

    private async work(pod: KubernetesObject): Promise<void> {
        const path = `/api/v1/namespaces/${pod.metadata?.namespace}/pods/${pod.metadata?.name}`;
        if (at(pod, "metadata", "deletionTimestamp")) {
            await this.api.http.send({ method: "DELETE", path, query: { gracePeriodSeconds: "0" } });
        } else if (!at(pod, "spec", "nodeName")) {
            const target = { apiVersion: "v1", kind: "Node", name: "fake" };
            const body = { apiVersion: "v1", kind: "Binding", metadata: { name: pod.metadata?.name }, target };
            await this.api.http.send({ method: "POST", path: `${path}/binding`, body });
        } else await this.report(pod, path);
    }

    private async report(pod: KubernetesObject, path: string): Promise<void> {
        const images = listAt(pod, "spec", "containers").map(({ image }) => String(image));
        const end = images.flatMap((image) => /succeeding|failing/.exec(image) ?? [])[0];
        if (end) return this.end(pod, path, end === "succeeding");
        const isBroken = images.some((image) => image.includes("broken"));
        const isReady = !isBroken && !(this.isSlow && images.some((image) => image.includes("slow")));
        const isReported = listAt(pod, "status", "containerStatuses").some(({ ready }) => ready === isReady);
        if (isReported) return;
        const condition = (type: string) => ({ type, status: isReady ? "True" : "False" });
        const containerStatuses = listAt(pod, "spec", "containers").map(({ name, image }) => ({
            name,
            image,
            imageID: "",
            restartCount: isBroken ? 3 : 0,
            ready: isReady,
            ...(isBroken ? CRASHED : { state: { running: {} } }),
        }));
        const conditions = [condition("Ready"), condition("ContainersReady"), { type: "PodScheduled", status: "True" }];
        const podIP = "10.0.0.1";
        await this.status(path, { phase: "Running", podIP, podIPs: [{ ip: podIP }], conditions, containerStatuses });
    }

    private async end(pod: KubernetesObject, path: string, isGood: boolean): Promise<void> {
        if (/Succeeded|Failed/.test(String(at(pod, "status", "phase")))) return;
        const terminated = {
            exitCode: isGood ? 0 : 1,
            reason: isGood ? "Completed" : "Error",
            message: "its last line",
        };
        const containerStatuses = listAt(pod, "spec", "containers").map(({ name, image }) => ({
            ...{ name, image, imageID: "", restartCount: 0, ready: false },
            state: { terminated },
        }));
        await this.status(path, { phase: isGood ? "Succeeded" : "Failed", containerStatuses });
    }

    private async status(path: string, status: object): Promise<void> {
        const contentType = "application/merge-patch+json";
        await this.api.http.send({ method: "PATCH", path: `${path}/status`, contentType, body: { status } });
    }
}

const CRASHED = {
    state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 40s restarting failed container" } },
    lastState: { terminated: { exitCode: 2, reason: "Error", message: "unknown flag: --bad" } },
};
