import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { bundleAgent } from "../../../bundling/agents";
import { etcdPodPlan, selfHostedEtcd } from "../../../cluster/manifests/etcd/etcd";
import { ownPath, podProgramPath } from "../../../cluster/manifests/etcd/scripts";
import type { Cluster } from "../../../cluster/model";
import type { Controller } from "./controller";
import { etcdOf, killAll, memberEnvironment } from "./kubelet";

const pods = new Set<ApiPod>();
process.once("exit", () => {
    for (const pod of pods) pod.kill();
});

interface PodSpec {
    readonly containers: readonly [{ readonly command: readonly string[] }];
}

/** An API pod that runs a controller's member, as run by a kubelet: its container is restarted when it exits. */
export class ApiPod {
    readonly #command: readonly string[];
    readonly #etcd: string;
    readonly #logFile: string;
    #child?: ChildProcess;
    #isWanted = true;

    constructor(cluster: Cluster, controller: Controller) {
        const program = controller.path(podProgramPath);
        const here = (text: string) => controller.here(text).replaceAll(podProgramPath, program);
        const { template } = selfHostedEtcd(cluster, "")[1]!.spec as { template: { spec: PodSpec } };
        this.#command = JSON.parse(here(JSON.stringify(template.spec.containers[0].command)));
        this.#etcd = etcdOf(cluster.images.etcd);
        this.#logFile = controller.path("/api-pod.log");
        mkdirSync(program, { recursive: true });
        mkdirSync(controller.path(ownPath), { recursive: true });
        writeFileSync(`${program}/etcd-pod.js`, bundleAgent("etcd-pod"));
        const plan = { ...JSON.parse(here(JSON.stringify(etcdPodPlan(cluster)))), stoppedSeconds: 3 };
        writeFileSync(`${program}/plan.json`, JSON.stringify(plan));
        pods.add(this);
        void this.#run();
    }

    get log(): string {
        return readFileSync(this.#logFile, "utf8");
    }

    /** The first process of its container. */
    get pid(): number | undefined {
        return this.#child?.pid;
    }

    /** Cuts the power. */
    kill(): void {
        pods.delete(this);
        this.#isWanted = false;
        if (this.pid !== undefined) killAll(this.pid);
    }

    /** As `kubectl delete pod` does. */
    async delete(): Promise<void> {
        pods.delete(this);
        this.#isWanted = false;
        const child = this.#child;
        if (child === undefined) return;
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        await ended;
        killAll(child.pid!);
    }

    async #run(): Promise<void> {
        const [program, ...args] = this.#command;
        while (this.#isWanted) {
            const output = openSync(this.#logFile, "a");
            const options = { ...memberEnvironment(this.#etcd), detached: true };
            const child = spawn(program!, args, { ...options, stdio: ["ignore", output, output] });
            closeSync(output);
            this.#child = child;
            await once(child, "exit");
            killAll(child.pid!);
            this.#child = undefined;
            await sleep(500);
        }
    }
}
