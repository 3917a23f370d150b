import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programPath } from "../../../artifacts/programs";
import { type AgentName, bundleAgent } from "../../../bundling/agents";
import { ApiClient, type Call, readKubeconfig } from "../../../clients/kubernetes/api-client";
import { ApiServer } from "../../../test/engine/apiserver";
import { Program } from "../../../test/engine/kubernetes-fixture/process";
import { tokenOf } from "../../../test/engine/service-account";

/** Logs each request once, when it is received. */
const auditPolicy = {
    apiVersion: "audit.k8s.io/v1",
    kind: "Policy",
    omitStages: ["ResponseStarted", "ResponseComplete", "Panic"],
    rules: [{ level: "None", nonResourceURLs: ["*"] }, { level: "Metadata" }],
};

/** As set by cluster/manifests/control-plane/kube-controller-manager.ts. */
const pace = ["--kube-api-qps=200", "--kube-api-burst=200"];

/** A busy machine may take long to answer. */
class PatientClient extends ApiClient {
    override call<T>(path: string, call: Call = {}): Promise<T> {
        return super.call(path, { timeoutMilliseconds: 120_000, ...call });
    }
}

/** etcd, kube-apiserver, kube-controller-manager, kube-scheduler and our agents as processes, without machines. */
export class ControlPlane {
    readonly #programs: Program[] = [];
    readonly kubeconfig: string;
    readonly server: string;
    readonly admin: ApiClient;

    private constructor(
        readonly api: ApiServer,
        readonly folder: string,
    ) {
        this.kubeconfig = this.write("admin.kubeconfig", api.kubeconfig);
        this.server = readKubeconfig(api.kubeconfig).server;
        this.admin = this.clientOf("admin", "system:masters");
    }

    static async start(): Promise<ControlPlane> {
        const folder = await mkdtemp(join(tmpdir(), "tradewind-scale-"));
        const policy = join(folder, "policy.json");
        writeFileSync(policy, JSON.stringify(auditPolicy));
        const apiserver = [`--audit-policy-file=${policy}`, `--audit-log-path=${join(folder, "audit.log")}`];
        const controllers = ["daemonset-controller", "node-lifecycle-controller"];
        const api = await ApiServer.start({ controllers, flags: { apiserver, controllers: pace } });
        const plane = new ControlPlane(api, folder);
        // Started later: only now it is known where the CA is.
        const ca = plane.flagOf(plane.pids("kube-apiserver")[0]!, "client-ca-file");
        plane.run("signer", programPath("kube-controller-manager"), [
            `--kubeconfig=${plane.kubeconfig}`,
            "--controllers=certificatesigningrequest-signing-controller",
            "--leader-elect=false",
            "--secure-port=0",
            `--cluster-signing-cert-file=${ca}`,
            `--cluster-signing-key-file=${ca.replace(/crt$/, "key")}`,
            ...pace,
        ]);
        const scheduler = [`--kubeconfig=${plane.kubeconfig}`, "--leader-elect=false", "--secure-port=0"];
        plane.run("kube-scheduler", programPath("kube-scheduler"), scheduler);
        return plane;
    }

    clientOf(user: string, group: string): ApiClient {
        const { server, credentials } = readKubeconfig(this.api.kubeconfigOf(user, group));
        return new PatientClient(server, () => credentials, "tradewind-bench");
    }

    write(name: string, text: string): string {
        const path = join(this.folder, name);
        writeFileSync(path, text, { mode: 0o600 });
        return path;
    }

    run(name: string, path: string, args: readonly string[]): Program {
        const program = new Program(path, args, join(this.folder, `${name}.log`));
        this.#programs.push(program);
        program.start();
        return program;
    }

    /** Runs an agent like its pod, with a kubeconfig, or with the token of its service account. */
    async runAgent(name: AgentName, plan: object, options: readonly string[], kubeconfig?: string): Promise<void> {
        const program = this.write(`${name}.js`, bundleAgent(name));
        const written = this.write(`${name}.json`, JSON.stringify({ ...plan, apiServer: this.server }));
        const command = [process.execPath, ...options, program, written];
        if (kubeconfig) {
            const path = this.write(`${name}.kubeconfig`, kubeconfig);
            this.run(name, command[0]!, [...command.slice(1), `--kubeconfig=${path}`]);
            return;
        }
        const token = this.write(`${name}.token`, await tokenOf(this.api, name));
        const ca = this.flagOf(this.pids("kube-apiserver")[0]!, "client-ca-file");
        // Where a pod has them: in a file system of this process alone.
        const account = "/run/secrets/kubernetes.io/serviceaccount";
        const script = `token=$(cat ${token}) ca=$(cat ${ca})
mount -t tmpfs none /run && mkdir -p ${account} && cd ${account} && echo "$token" >token && echo "$ca" >ca.crt && exec "$@"`;
        this.run(name, "unshare", ["--mount", "sh", "-c", script, "sh", ...command]);
    }

    /** Requests so far by user agent, without its version. */
    requests(): ReadonlyMap<string, number> {
        const counts = new Map<string, number>();
        const logs = readdirSync(this.folder).filter((name) => name.startsWith("audit"));
        for (const [, agent] of logs.flatMap((log) => [
            ...readFileSync(join(this.folder, log), "utf8").matchAll(/"userAgent":"([^"/ ]*)/g),
        ])) {
            counts.set(agent!, (counts.get(agent!) ?? 0) + 1);
        }
        return counts;
    }

    /** MiB of each process. */
    memory(names: readonly string[]): Record<string, number> {
        return Object.fromEntries(
            names.map((name) => {
                const kibibytes = this.pids(name).map((pid) =>
                    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]),
                );
                return [name, kibibytes.reduce((sum, each) => sum + each, 0) / 1024];
            }),
        );
    }

    async stop(): Promise<void> {
        this.admin.reconnect();
        for (const program of [...this.#programs].reverse()) await program.stop();
        await this.api.stop();
        rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    }

    /** Of a program of this control plane; others may run on the machine. */
    pids(name: string): string[] {
        const port = new URL(this.server).port;
        const isOurs = (pid: string) => {
            const line = commandLine(pid);
            // Not a shell around it.
            if (line[0] === undefined || /(^|\/)(sh|unshare)$/.test(line[0])) return false;
            if (name === "kube-apiserver") return line.includes(`--secure-port=${port}`);
            if (name === "etcd") return line.includes(`--listen-client-urls=${this.#etcd()}`);
            return line.some((part) => part === join(this.folder, `${name}.js`)) || isProgram(line, name, this.folder);
        };
        return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && isOurs(pid));
    }

    #etcd(): string {
        return this.flagOf(this.pids("kube-apiserver")[0]!, "etcd-servers");
    }

    flagOf(pid: string, flag: string): string {
        const start = `--${flag}=`;
        return commandLine(pid)
            .find((part) => part.startsWith(start))!
            .slice(start.length);
    }
}

function isProgram(line: readonly string[], name: string, folder: string): boolean {
    return line[0]!.endsWith(`/${name}`) && line.some((part) => part.includes(folder));
}

function commandLine(pid: string): string[] {
    try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    } catch {
        // It has ended meanwhile.
        return [];
    }
}
