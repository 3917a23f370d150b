import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { connectionOf } from "../../clients/kubernetes/kubeconfig";
import { Cluster } from "../../simulator/plugins/kubernetes/cluster";
import { HttpClient } from "../../simulator/plugins/kubernetes/http";
import { versions } from "../../versions";
import { freePort } from "../free-port";
import { binary, kubernetesBinary } from "./kubernetes-fixture/binaries";
import { makeCertificates } from "./kubernetes-fixture/certificates";
import { Program } from "./kubernetes-fixture/process";

export interface ApiServerOptions {
    /** Additional controllers to run, by name (`daemonset-controller`). @default none */
    readonly controllers?: readonly string[];
    /** Additional flags of kube-apiserver and kube-controller-manager, which take precedence. @default none */
    readonly flags?: { readonly apiserver: readonly string[]; readonly controllers: readonly string[] };
    /** @default the default version */
    readonly kubernetesVersion?: string;
}

// Without them deleted objects are never removed.
const CLEANERS = ["garbage-collector-controller", "namespace-controller"];

const none = { apiserver: [], controllers: [] };

/** A real etcd, kube-apiserver and controllers on the loopback address, with their own ports and certificates. */
export class ApiServer {
    /** Credentials of a member of system:masters. */
    readonly kubeconfig: string;
    readonly cluster: Cluster;
    /** For requests that are not about objects: metrics, subresources. */
    readonly http: HttpClient;

    private constructor(
        private readonly folder: string,
        private readonly port: number,
        private readonly etcdPort: number,
        private readonly programs: Program[],
        private readonly credentials: (user: string, group: string) => { certificate: string; key: string },
        private readonly version: string,
    ) {
        this.kubeconfig = this.kubeconfigOf("admin", "system:masters");
        const connection = connectionOf(this.kubeconfig, {});
        this.cluster = new Cluster(connection);
        this.http = new HttpClient(connection);
        process.once("exit", () => this.kill());
    }

    static async start({
        controllers = [],
        flags = none,
        kubernetesVersion = versions.kubernetes,
    }: ApiServerOptions = {}): Promise<ApiServer> {
        const folder = mkdtempSync(join(tmpdir(), "tradewind-apiserver-"));
        const credentials = makeCertificates(folder);
        const [port, etcdPort, peerPort] = [await freePort(), await freePort(), await freePort()];
        const etcd = new Program(binary("etcd"), etcdFlags(folder, etcdPort, peerPort), join(folder, "etcd.log"));
        const log = join(folder, "kube-apiserver.log");
        const all = [...apiserverFlags(folder, port, etcdPort), ...flags.apiserver];
        const apiserver = new Program(kubernetesBinary("kube-apiserver", kubernetesVersion), all, log);
        const programs = [etcd, apiserver];
        const server = new ApiServer(folder, port, etcdPort, programs, credentials, kubernetesVersion);
        etcd.start();
        apiserver.start();
        await server.untilReady();
        server.startControllers([...CLEANERS, ...controllers], flags.controllers, programs);
        return server;
    }

    kubeconfigOf(user: string, group: string): string {
        const { certificate, key } = this.credentials(user, group);
        const base64 = (path: string) => readFileSync(path).toString("base64");
        const cluster = {
            server: `https://127.0.0.1:${this.port}`,
            "certificate-authority-data": base64(join(this.folder, "ca.crt")),
        };
        const identity = { "client-certificate-data": base64(certificate), "client-key-data": base64(key) };
        return JSON.stringify({
            apiVersion: "v1",
            kind: "Config",
            clusters: [{ name: "test", cluster }],
            users: [{ name: user, user: identity }],
            contexts: [{ name: "test", context: { cluster: "test", user } }],
            "current-context": "test",
        });
    }

    /** The API's log since its first start. */
    get log(): string {
        return readFileSync(join(this.folder, "kube-apiserver.log"), "utf8");
    }

    /** Stops the API, as in an outage. */
    async stopApi(): Promise<void> {
        await this.programs[1]!.stop();
    }

    async startApi(): Promise<void> {
        this.programs[1]!.start();
        await this.untilReady();
    }

    /** Restarts the API as another process, with other files, each named by a flag, and more flags. */
    async replaceApi(
        files: Readonly<Record<string, { readonly name: string; readonly text: string }>>,
        more: readonly string[] = [],
    ): Promise<void> {
        await this.stopApi();
        const nameOf = (flag: string) => /^--([^=]+)/.exec(flag)![1]!;
        // Those of repeated flags would be added.
        const replaced = [...Object.keys(files), ...more.map(nameOf)];
        const others = apiserverFlags(this.folder, this.port, this.etcdPort).filter(
            (flag) => !replaced.includes(nameOf(flag)),
        );
        const own = Object.entries(files).map(([flag, { name, text }]) => {
            const path = join(this.folder, name);
            writeFileSync(path, text);
            return `--${flag}=${path}`;
        });
        const log = join(this.folder, "kube-apiserver.log");
        this.programs[1] = new Program(
            kubernetesBinary("kube-apiserver", this.version),
            [...others, ...own, ...more],
            log,
        );
        await this.startApi();
    }

    /** The value of a registry key in etcd, as text. */
    async stored(key: string): Promise<string> {
        const answer = await fetch(`http://127.0.0.1:${this.etcdPort}/v3/kv/range`, {
            method: "POST",
            body: JSON.stringify({ key: Buffer.from(`/registry/${key}`).toString("base64") }),
        });
        const { kvs = [] } = (await answer.json()) as { kvs?: { value: string }[] };
        return Buffer.from(kvs[0]?.value ?? "", "base64").toString("latin1");
    }

    /** Saves a snapshot of its etcd. */
    async snapshot(path: string): Promise<void> {
        const etcdctl = binary("etcdutl").replace(/etcdutl$/, "etcdctl");
        await promisify(execFile)(etcdctl, [`--endpoints=http://127.0.0.1:${this.etcdPort}`, "snapshot", "save", path]);
    }

    async stop(): Promise<void> {
        this.cluster.close();
        this.http.close();
        for (const program of [...this.programs].reverse()) await program.stop();
        this.kill();
    }

    private kill(): void {
        for (const program of this.programs) program.kill();
        // A killed process may still write for a moment.
        rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
    }

    private async untilReady(): Promise<void> {
        const isReady = async () => Boolean(await this.http.send({ method: "GET", path: "/readyz" }));
        await this.programs[1]!.until(isReady, 60);
    }

    private startControllers(controllers: readonly string[], more: readonly string[], programs: Program[]): void {
        const path = join(this.folder, "controller-manager.kubeconfig");
        writeFileSync(path, this.kubeconfig);
        const flags = [
            `--kubeconfig=${path}`,
            `--controllers=${controllers.join(",")}`,
            "--leader-elect=false",
            "--secure-port=0",
            "--concurrent-gc-syncs=4",
            ...more,
        ];
        const log = join(this.folder, "kube-controller-manager.log");
        const program = new Program(kubernetesBinary("kube-controller-manager", this.version), flags, log);
        programs.push(program);
        program.start();
    }
}

function etcdFlags(folder: string, port: number, peerPort: number): string[] {
    const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
    return [
        `--data-dir=${join(folder, "etcd")}`,
        `--listen-client-urls=${client}`,
        `--advertise-client-urls=${client}`,
        `--listen-peer-urls=${peer}`,
        `--initial-advertise-peer-urls=${peer}`,
        `--initial-cluster=default=${peer}`,
        "--unsafe-no-fsync",
        "--log-level=warn",
    ];
}

function apiserverFlags(folder: string, port: number, etcdPort: number): string[] {
    const file = (name: string) => join(folder, name);
    return [
        `--etcd-servers=http://127.0.0.1:${etcdPort}`,
        "--bind-address=127.0.0.1",
        "--advertise-address=127.0.0.1",
        "--endpoint-reconciler-type=none",
        `--secure-port=${port}`,
        `--tls-cert-file=${file("server.crt")}`,
        `--tls-private-key-file=${file("server.key")}`,
        `--client-ca-file=${file("ca.crt")}`,
        // The same as in our clusters.
        "--authorization-mode=Node,RBAC",
        "--requestheader-username-headers=X-Remote-User",
        "--enable-admission-plugins=NodeRestriction",
        "--service-account-issuer=https://kubernetes.default.svc",
        `--service-account-key-file=${file("service-account.key")}`,
        `--service-account-signing-key-file=${file("service-account.key")}`,
        // The defaults of our clusters, so that their manifests fit.
        "--service-cluster-ip-range=10.3.0.0/16",
        "--allow-privileged",
        // No controller creates service accounts here.
        "--disable-admission-plugins=ServiceAccount",
    ];
}
