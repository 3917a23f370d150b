import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DemotionPlan } from "../../../agents/nodes/demotion/plan";
import { keptFiles } from "../../../cluster/machines/kept-files";
import { paths } from "../../../cluster/paths";
import { agentProcess } from "../agent-process";
import type { EtcdCluster } from "../etcd-join/cluster";
import type { Controller } from "../etcd-join/controller";

const { startAgent: startJoin } = agentProcess("etcd-join", "");
const { startAgent: startDemotion } = agentProcess("node-demotion", "");

/** A machine whose kubelet runs the agents of its etcd member as pods: they are Ready when the agent has succeeded. */
export class Machine {
    readonly output: string[] = [];
    isLost = false;
    readonly #pods = new Map<string, { child?: ChildProcess; isDone: boolean }>();

    constructor(
        readonly controller: Controller,
        private readonly etcd: EtcdCluster,
    ) {
        for (const path of [paths.checkpoints, paths.etcdPki]) {
            mkdirSync(controller.path(path), { recursive: true, mode: 0o700 });
        }
    }

    get name(): string {
        return this.controller.machine.name;
    }

    /** Starts a pod's agent once, and again when it fails. @returns whether it has succeeded */
    mayBeReady(uid: string, app: string, isDemoted: boolean): boolean {
        const pod = this.#pods.get(uid) ?? { isDone: false };
        this.#pods.set(uid, pod);
        if (pod.isDone || this.isLost) return pod.isDone;
        if (pod.child !== undefined) return false;
        const { child, ended } = app === "etcd-join" ? this.#join(isDemoted) : startDemotion(this.demotionPlan());
        pod.child = child;
        void ended.then(({ exit, output }) => {
            this.output.push(`${app}: ${output}`);
            pod.child = undefined;
            pod.isDone = exit === 0;
        });
        return false;
    }

    #join(isDemoted: boolean) {
        const demotedFile = join(this.controller.folder, "demoted");
        if (isDemoted) writeFileSync(demotedFile, "");
        else rmSync(demotedFile, { force: true });
        return startJoin(this.etcd.plan(this.controller, { demotedFile }));
    }

    demotionPlan(more: Partial<DemotionPlan> = {}): string {
        const { controller } = this;
        const plan: DemotionPlan = {
            ...more,
            healthUrl: "http://127.0.0.1:2381",
            directories: {
                pki: paths.etcdPki,
                staticPods: paths.staticPods,
                data: paths.etcdMemberData,
                checkpoints: controller.path(paths.checkpoints),
                kept: controller.path(keptFiles),
            },
        };
        const path = join(controller.folder, "demotion.json");
        writeFileSync(path, controller.here(JSON.stringify(plan)));
        return path;
    }

    /** A copy that its checkpointer has installed, and the checkpoint; and a copy of its member's key. */
    saveCheckpoint(): void {
        const { controller } = this;
        const saved = controller.path(`${paths.checkpoints}/kube-system/kube-apiserver/1a/pod.json`);
        for (const path of [saved, join(this.#keptPki, "member.key")]) {
            mkdirSync(dirname(path), { recursive: true });
            writeFileSync(path, "{}");
        }
        writeFileSync(controller.path(`${paths.staticPods}/checkpoint-kube-system.checkpointer.json`), "{}");
    }

    /** Below the directory of kept files, at the path that the agent sees. */
    get #keptPki(): string {
        return join(this.controller.path(keptFiles), this.controller.path(paths.etcdPki));
    }

    /** What is left of a controller on its disk. */
    remains(): string[] {
        const { controller } = this;
        const under = (path: string) => (existsSync(controller.path(path)) ? readdirSync(controller.path(path)) : []);
        return [
            ...[paths.staticPods, paths.checkpoints, paths.etcdPki].flatMap(under),
            ...(existsSync(this.#keptPki) ? readdirSync(this.#keptPki) : []),
            ...(existsSync(controller.path(paths.etcdMemberData)) ? ["data"] : []),
        ];
    }

    /** Kills the agents of pods that no longer exist. */
    keepOnly(uids: ReadonlySet<string>): void {
        for (const [uid, { child }] of this.#pods) {
            if (uids.has(uid) && !this.isLost) continue;
            child?.kill("SIGKILL");
            this.#pods.delete(uid);
        }
    }
}
