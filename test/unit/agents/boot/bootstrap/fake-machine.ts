import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { BootstrapPlan, SelfHostedComponent } from "../../../../../agents/boot/bootstrap/plan";
import { copyFileName } from "../../../../../agents/checkpointer/plan";
import { addressAnnotation } from "../../../../../clients/kubernetes/loopback";
import { FakeApi, type StoredObject } from "./fake-api";
import { FakeServer } from "./fake-server";

const daemonSets = "/apis/apps/v1/namespaces/kube-system/daemonsets";
const pods = "/api/v1/namespaces/kube-system/pods";

/**
 * A controller with a kubelet and an etcd, as far as the bootstrap can observe.
 *
 * The kubelet runs static pods in any case, but pods of the API only while an apiserver serves. Processes listen on
 * their own loopback addresses; the shared address serves while one of the apiservers does.
 */
export class FakeMachine {
    readonly api = new FakeApi();
    readonly #plan: BootstrapPlan;
    readonly #front: FakeServer;
    readonly #listeners: FakeServer[] = [];
    readonly #processes = new Map<string, FakeServer>();
    readonly #draining = new Set<FakeServer>();
    /** Milliseconds for which a stopped process still listens. */
    drain = 30;
    /** Status in the API of a self-hosted pod that fails: none of its processes runs. */
    podStatus?: (name: string) => object | undefined;
    /** Self-hosted pods come back by themselves, and the checkpointer stops the copy of kube-apiserver. */
    healsItself = false;
    /** The kubelet registers its node only after a restart. */
    isKubeletTired = false;
    /** How often the kubelet was restarted. */
    restarts = 0;
    #kubelet?: NodeJS.Timeout;
    /** Texts of the static pods that the kubelet runs, by file. */
    readonly #staticPods = new Map<string, string>();
    #hasReachedApi = false;

    constructor(plan: BootstrapPlan) {
        this.#plan = plan;
        const { hostname, port } = new URL(plan.apiServer);
        this.#front = new FakeServer(hostname, Number(port), (request, response) => {
            // A draining apiserver serves everything else.
            if (this.#draining.size > 0 && request.url === "/readyz") {
                response.writeHead(500).end("[+]ping ok\n[-]shutdown failed: reason withheld\nreadyz check failed\n");
            } else {
                void this.api.serve(request, response);
            }
        });
        for (const { address, listener } of plan.selfHosted) {
            if (listener !== undefined) {
                this.#listeners.push(
                    new FakeServer(address, listener.port, (_, response) => void response.end(), "http"),
                );
            }
        }
    }

    /** Names of running processes: `copy/kube-apiserver`, `self-hosted/kube-scheduler`. */
    get running(): string[] {
        return [...this.#processes.keys()].sort();
    }

    /** Whether the kubelet has found a static pod. */
    hasStaticPod(file: string): boolean {
        return this.#staticPods.has(file);
    }

    boot(): void {
        this.#kubelet ??= setInterval(() => this.#sync(), 5);
    }

    powerCut(): void {
        clearInterval(this.#kubelet);
        this.#kubelet = undefined;
        this.#startKubelet();
        for (const server of [this.#front, ...this.#listeners, ...this.#processes.values()]) {
            server.kill();
        }
        this.#processes.clear();
    }

    /** Waits until exactly these processes run. */
    async waitUntilRunning(desired: readonly string[]): Promise<void> {
        const deadline = performance.now() + 10_000;
        while (this.running.join() !== desired.join()) {
            if (performance.now() > deadline) {
                throw new Error(`${desired.join()} must run, but these do: ${this.running.join()}`);
            }
            await new Promise((resolve) => setTimeout(resolve, 5));
        }
    }

    #sync(): void {
        const { selfHosted } = this.#plan;
        this.#restartKubelet();
        this.#syncStaticPods();
        for (const { namespace, name, port } of selfHosted) {
            const text = this.#staticPods.get(copyFileName(`${namespace}/${name}`));
            const address: string | undefined = text && JSON.parse(text).metadata?.annotations?.[addressAnnotation];
            this.#want(`copy/${name}`, { address: address ?? "", port }, address !== undefined);
        }
        if (this.healsItself) this.#heal();
        this.#syncFront();
        if (this.#front.isOpen) {
            this.#register();
            for (const component of selfHosted) {
                this.#schedule(component);
                this.#want(
                    `self-hosted/${component.name}`,
                    component,
                    this.healsItself ||
                        (this.api.objects.has(`${pods}/${component.name}-x7k2p`) &&
                            this.podStatus?.(component.name) === undefined),
                );
            }
        }
        this.#syncFront();
    }

    #heal(): void {
        const { selfHosted, directories } = this.#plan;
        for (const component of selfHosted) this.#want(`self-hosted/${component.name}`, component, true);
        for (const { namespace, name } of selfHosted.slice(0, 1)) {
            rmSync(join(directories.staticPods, copyFileName(`${namespace}/${name}`)), { force: true });
        }
    }

    /** Until it has reached the API, a kubelet ends no static pod, and starts no other one in its place. */
    #syncStaticPods(): void {
        this.#hasReachedApi ||= this.#front.isOpen;
        const texts = readStaticPods(this.#plan.directories.staticPods);
        for (const [file, text] of texts) {
            if (this.#hasReachedApi || !this.#staticPods.has(file)) this.#staticPods.set(file, text);
        }
        for (const file of this.#hasReachedApi ? [...this.#staticPods.keys()] : []) {
            if (!texts.has(file)) this.#staticPods.delete(file);
        }
    }

    #startKubelet(): void {
        this.#hasReachedApi = false;
        this.#staticPods.clear();
    }

    #want(key: string, { address, port }: Pick<SelfHostedComponent, "address" | "port">, isWanted: boolean): void {
        const process = this.#processes.get(key);
        if (isWanted && process === undefined) {
            const server = new FakeServer(address, port, (request, response) => void this.api.serve(request, response));
            this.#processes.set(key, server);
            server.open();
        } else if (!isWanted && process !== undefined && !this.#draining.has(process)) {
            this.#draining.add(process);
            setTimeout(() => {
                process.close();
                this.#draining.delete(process);
                this.#processes.delete(key);
            }, this.drain);
        }
    }

    #syncFront(): void {
        const isSelfHosted = this.#processes.has("self-hosted/kube-apiserver");
        for (const listener of this.#listeners) {
            isSelfHosted ? listener.open() : listener.close();
        }
        isSelfHosted || this.#processes.has("copy/kube-apiserver") ? this.#front.open() : this.#front.close();
    }

    /** systemd's reaction to the file. */
    #restartKubelet(): void {
        if (existsSync(this.#plan.kubeletRestart)) {
            rmSync(this.#plan.kubeletRestart);
            this.isKubeletTired = false;
            this.restarts += 1;
            this.#startKubelet();
        }
    }

    #register(): void {
        if (this.isKubeletTired) {
            return;
        }
        const path = `/api/v1/nodes/${this.#plan.nodeName}`;
        if (!this.api.objects.has(path)) {
            this.api.objects.set(path, { kind: "Node", metadata: { name: this.#plan.nodeName } });
        }
    }

    /** What the controller manager, the scheduler and the kubelet do with a DaemonSet. */
    #schedule({ name }: SelfHostedComponent): void {
        const owner = this.api.objects.get(`${daemonSets}/${name}`);
        const node = this.api.objects.get(`/api/v1/nodes/${this.#plan.nodeName}`);
        const isController = node?.metadata.labels?.["node-role.kubernetes.io/control-plane"] === "";
        const runs = (role: string) => this.running.some((key) => key.endsWith(role));
        if (owner !== undefined && isController && runs("kube-controller-manager") && runs("kube-scheduler")) {
            this.api.objects.set(`${pods}/${name}-x7k2p`, this.#pod(name, owner));
        }
    }

    #pod(name: string, owner: StoredObject): StoredObject {
        const { template } = owner.spec as { template: { metadata: { annotations: Record<string, string> } } };
        const annotations = { [addressAnnotation]: template.metadata.annotations[addressAnnotation] };
        const ownerReferences = [{ kind: "DaemonSet", name }];
        return {
            kind: "Pod",
            metadata: { name: `${name}-x7k2p`, annotations, ownerReferences },
            spec: { nodeName: this.#plan.nodeName },
            status: this.podStatus?.(name) ?? { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
        };
    }
}

/** Texts by file. Fails on partial files, like the real kubelet. */
function readStaticPods(directory: string): Map<string, string> {
    const texts = new Map<string, string>();
    for (const file of readdirSync(directory)) {
        try {
            const text = readFileSync(join(directory, file), "utf8");
            JSON.parse(text);
            texts.set(file, text);
        } catch (error) {
            // Removed just now.
            if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
        }
    }
    return texts;
}
