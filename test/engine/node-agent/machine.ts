import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { renderCniPluginsEnv } from "../../../agents/nodes/node-agent/cni-plugins/plugins";
import { parseKubeletEnv, renderKubeletEnv } from "../../../agents/nodes/node-agent/kubelet/kubelets";
import { flagsFile } from "../../../agents/nodes/node-agent/kubelet/settings";
import {
    bootFile,
    cniPluginsArchive,
    cniPluginsEnvFile,
    kubeletEnvFile,
    rebootRequest,
    rebootRequestedFile,
    rebootTaken,
    restartRequest,
    runningEnvFile,
} from "../../../agents/nodes/node-agent/layout";
import type { Kubelet, NodeAgentPlan, Source } from "../../../agents/nodes/node-agent/plan";
import { connectionOf } from "../../../clients/kubernetes/kubeconfig";
import { at, type KubernetesObject, listAt } from "../../../simulator/plugins/kubernetes/object";
import type { ApiServer } from "../apiserver";
import { RuntimeHost } from "./runtime-host";

const mergePatch = "application/merge-patch+json";

/** A machine with a disk, a minimal kubelet of the version in its file, and the unit that restarts it. */
export class Machine {
    readonly folder = mkdtempSync(join(tmpdir(), "tradewind-node-agent-"));
    /** Versions of the kubelets that were started. */
    readonly started: string[] = [];
    /** Settings that it boots with. */
    cniPlugins: Source = { sha256: "0".repeat(64), urls: [] };
    /** Container runtimes installed by its node config. */
    readonly runtimes = new RuntimeHost(join(this.folder, "runtimes"), (containerRuntimeVersion) =>
        this.patch({ status: { nodeInfo: { containerRuntimeVersion } } }, "/status"),
    );
    /** How often its node-agent has rebooted it. */
    reboots = 0;
    /** It shuts down for a reboot, and does not become Ready again. */
    isStuck = false;
    #isRunning = true;
    #loop?: Promise<void>;
    #kubelet?: Server;
    #port = 0;

    constructor(
        private readonly api: ApiServer,
        readonly name: string,
    ) {}

    /** Boots with a kubelet. @param knowsReboots - whether its node config supports them */
    async boot(kubelet: Kubelet, text: string, knowsReboots = true): Promise<void> {
        for (const path of ["kubelets", "state", "cni", `kubelets/${kubelet.version}`])
            mkdirSync(join(this.folder, path));
        writeFileSync(join(this.folder, "kubelets", kubelet.version, "kubelet"), text, { mode: 0o755 });
        writeFileSync(join(this.folder, "kubelets", kubeletEnvFile), renderKubeletEnv(kubelet));
        writeFileSync(join(this.folder, "cni", cniPluginsEnvFile), renderCniPluginsEnv(this.cniPlugins));
        const [user] = connectionUser(this.api.kubeconfigOf(`system:node:${this.name}`, "system:nodes"));
        writeFileSync(join(this.folder, "client.pem"), user!, { mode: 0o600 });
        writeFileSync(join(this.folder, "ca.crt"), connectionOf(this.api.kubeconfig, {}).ca!);
        const body = { apiVersion: "v1", kind: "Node", metadata: { name: this.name } };
        await this.api.http.send({ method: "POST", path: "/api/v1/nodes", body });
        if (knowsReboots) this.#nameBoot();
        await this.#listen();
        this.#loop = this.#run();
    }

    /** Installs plugins, as its node config does. */
    install(cniPlugins: Source, archive: Buffer): void {
        this.cniPlugins = cniPlugins;
        const cni = (name: string) => join(this.folder, "cni", name);
        writeFileSync(cni(cniPluginsEnvFile), renderCniPluginsEnv(cniPlugins));
        writeFileSync(cni(cniPluginsArchive(cniPlugins.sha256)), archive);
        mkdirSync(cni("bin"));
        execFileSync("tar", ["-xzf", cni(cniPluginsArchive(cniPlugins.sha256)), "-C", cni("bin")]);
    }

    plan(desired: Kubelet, more: Partial<NodeAgentPlan> = {}): NodeAgentPlan {
        const path = (name: string) => join(this.folder, name);
        return {
            desired: desired.version,
            kubelets: { [desired.version]: desired },
            cniPlugins: this.cniPlugins,
            hasOtherNodes: true,
            removesEndedPods: true,
            settings: { id: desired.settings, configuration: "", flags: [] },
            apiServers: [connectionOf(this.api.kubeconfig, {}).server],
            credentials: { ca: path("ca.crt"), client: path("client.pem") },
            directories: {
                kubelets: path("kubelets"),
                cni: path("cni"),
                ...(more.containerRuntime && { containerRuntime: this.runtimes.folder }),
                state: path("state"),
            },
            kubeletHealthz: `http://127.0.0.1:${this.#port}/healthz`,
            healthPort: 1,
            limits: { settle: 0.3, ready: 3, drain: 1 },
            ...more,
        };
    }

    async node(): Promise<KubernetesObject> {
        return (await this.api.http.send({ method: "GET", path: `/api/v1/nodes/${this.name}` })) as KubernetesObject;
    }

    patch(body: object, subresource = ""): Promise<unknown> {
        const path = `/api/v1/nodes/${this.name}${subresource}`;
        return this.api.http.send({ method: "PATCH", path, body, contentType: mergePatch });
    }

    /** Makes its OS request a reboot. */
    wantReboot(): void {
        writeFileSync(this.#state(rebootRequestedFile), readFileSync(this.#state(bootFile)));
    }

    /** A pod of this machine: `web-0` of the application `web`. */
    async run(name: string, owner?: object): Promise<void> {
        const path = "/api/v1/namespaces/default/pods";
        const metadata = { name, labels: { app: name.split("-")[0] }, ...(owner && { ownerReferences: [owner] }) };
        const spec = { nodeName: this.name, containers: [{ name: "c", image: "i" }] };
        await this.api.http.send({ method: "POST", path, body: { apiVersion: "v1", kind: "Pod", metadata, spec } });
    }

    /** Names of its pods. @param phase - @default all */
    async pods(phase?: string): Promise<string[]> {
        const pods = await this.#pods();
        const found = pods.filter((pod) => phase === undefined || at(pod, "status", "phase") === phase);
        return found.map(({ metadata }) => metadata!.name!).sort();
    }

    /** Reason and message of each event on the Node, oldest first. */
    async events(): Promise<string[]> {
        const answer = await this.api.http.send({ method: "GET", path: "/api/v1/namespaces/default/events" });
        return listAt(answer as KubernetesObject, "items")
            .filter((event) => at(event, "involvedObject", "name") === this.name)
            .sort((a, b) => Number(at(a, "metadata", "resourceVersion")) - Number(at(b, "metadata", "resourceVersion")))
            .map((event) => `${at(event, "reason")}: ${at(event, "message")}`);
    }

    async powerOff(): Promise<void> {
        this.#isRunning = false;
        await this.#loop;
        this.#kubelet?.close();
        rmSync(this.folder, { recursive: true, force: true });
    }

    /** What systemd and the kubelet do. */
    async #run(): Promise<void> {
        await this.#start();
        while (this.#isRunning) {
            const request = this.#state(restartRequest);
            if (existsSync(request)) {
                rmSync(request);
                await this.#start();
            }
            await this.#rebootIfAsked();
            await this.runtimes.work();
            for (const pod of await this.#pods()) await this.#work(pod).catch(() => {});
            await sleep(30);
        }
    }

    /** What the host's units do. */
    async #rebootIfAsked(): Promise<void> {
        const request = this.#state(rebootRequest);
        if (!existsSync(request)) return;
        const asked = readFileSync(request, "utf8");
        renameSync(request, this.#state(rebootTaken));
        if (asked !== readFileSync(this.#state(bootFile), "utf8")) return;
        this.reboots += 1;
        this.#isWell = false;
        await this.patch({ status: { conditions: [{ type: "Ready", status: "False" }] } }, "/status");
        this.#nameBoot();
        while (this.isStuck && this.#isRunning) await sleep(30);
        await this.#start();
    }

    #nameBoot(): void {
        for (const name of [rebootRequest, rebootTaken, rebootRequestedFile])
            rmSync(this.#state(name), { force: true });
        writeFileSync(this.#state(bootFile), `${randomUUID()}\n`);
    }

    #state(name: string): string {
        return join(this.folder, "state", name);
    }

    /** The kubelet-wrapper: runs what the file says, if it contains a kubelet. */
    async #start(): Promise<void> {
        const env = readFileSync(join(this.folder, "kubelets", kubeletEnvFile), "utf8");
        const { version, settings } = parseKubeletEnv(env);
        const flags = join(this.folder, "kubelets", flagsFile(settings));
        const [, config] = existsSync(flags) ? /^--config=(.*)$/m.exec(readFileSync(flags, "utf8"))! : [];
        const program = readFileSync(join(this.folder, "kubelets", version, "kubelet"), "utf8");
        const text = `${program}${config ? readFileSync(config, "utf8") : ""}`;
        writeFileSync(join(this.folder, "kubelets", runningEnvFile), env);
        this.started.push(text);
        this.#isWell = !text.includes("broken");
        if (this.#isWell) {
            const nodeInfo = { kubeletVersion: `v${version}` };
            await this.patch({ status: { nodeInfo, conditions: [{ type: "Ready", status: "True" }] } }, "/status");
            await this.patch({ spec: { taints: null } });
        }
    }
    #isWell = false;

    #listen(): Promise<void> {
        this.#kubelet = createServer((_, answer) => answer.writeHead(this.#isWell ? 200 : 500).end());
        return new Promise((resolve) => {
            this.#kubelet!.listen(0, "127.0.0.1", () => {
                this.#port = (this.#kubelet!.address() as AddressInfo).port;
                resolve();
            });
        });
    }

    async #pods(): Promise<KubernetesObject[]> {
        const query = { fieldSelector: `spec.nodeName=${this.name}` };
        return listAt(
            await this.api.http.send({ method: "GET", path: "/api/v1/pods", query }),
            "items",
        ) as KubernetesObject[];
    }

    async #work(pod: KubernetesObject): Promise<void> {
        const path = `/api/v1/namespaces/default/pods/${pod.metadata!.name}`;
        if (at(pod, "metadata", "deletionTimestamp")) {
            await this.api.http.send({ method: "DELETE", path, query: { gracePeriodSeconds: "0" } });
        } else if (at(pod, "status", "phase") === "Pending") {
            const body = { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } };
            await this.api.http.send({ method: "PATCH", path: `${path}/status`, body, contentType: mergePatch });
        }
    }
}

/** Certificate and key of a kubeconfig's user, in one PEM file, as kubelets keep theirs. */
function connectionUser(kubeconfig: string): string[] {
    const { certificate, key } = connectionOf(kubeconfig, {});
    return [`${certificate}${key}`];
}
