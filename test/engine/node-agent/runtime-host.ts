import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runtimeId } from "../../../agents/nodes/node-agent/layout";
import type { RuntimeFiles } from "../../unit/agents/nodes/node-agent/runtime-archive";

/** The container runtimes of a machine, one of which `switch-container-runtime` starts. */
export class RuntimeHost {
    /** Versions that were started. */
    readonly started: string[] = [];

    /** @param tell - reports the version found by a kubelet to the API */
    constructor(
        readonly folder: string,
        private readonly tell: (runtime: string) => Promise<unknown>,
    ) {}

    /** Installs one, as its node config does. */
    async install(files: RuntimeFiles): Promise<void> {
        const id = runtimeId(files);
        const directory = this.#path(id);
        mkdirSync(directory, { recursive: true });
        const archive = this.#path("first.tgz");
        writeFileSync(archive, files.containerd.bytes);
        execFileSync("tar", ["-xzf", archive, "-C", directory, "--strip-components=1", "--no-same-owner"]);
        rmSync(archive);
        writeFileSync(join(directory, "runc"), files.runc.bytes, { mode: 0o755 });
        await this.#start(id);
    }

    /** What a boot does: reverts a version that is not known to work. */
    async boot(): Promise<void> {
        const former = this.#read("trial");
        for (const name of ["trial", "request"]) rmSync(this.#path(name), { force: true });
        if (former !== undefined) await this.#start(former);
    }

    /** Carries out a pending request, if there is one. */
    async work(): Promise<void> {
        const id = this.#read("request");
        if (id === undefined) return;
        const former = readlinkSync(this.#path("current"));
        if (this.#read("trial") !== id) writeFileSync(this.#path("trial"), former);
        const isBack = this.#read("trial") === id;
        rmSync(this.#path("request"));
        const isUp = await this.#start(id);
        if (isBack || !isUp) rmSync(this.#path("trial"));
        if (isBack || isUp) return;
        writeFileSync(this.#path("fault"), "containerd does not start\n");
        await this.#start(former);
    }

    async #start(id: string): Promise<boolean> {
        this.started.push(id);
        rmSync(this.#path("current"), { force: true });
        symlinkSync(id, this.#path("current"));
        const text = readFileSync(this.#path(join(id, "containerd")), "utf8");
        if (text.includes("does not start")) return false;
        writeFileSync(this.#path("running"), id);
        // What a kubelet does not find, it does not report.
        if (!text.includes("is not found")) await this.tell(`containerd://${/version (\S+)"/.exec(text)![1]}`);
        return true;
    }

    #read(name: string): string | undefined {
        const path = this.#path(name);
        return existsSync(path) ? readFileSync(path, "utf8").trim() : undefined;
    }

    #path(name: string): string {
        return join(this.folder, name);
    }
}
