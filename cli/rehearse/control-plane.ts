import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { ApiClient } from "../../clients/kubernetes/api-client";
import { filesPath, secretFilesPath } from "../../cluster/control-plane-files";
import type { LastingCredentials } from "../../cluster/keys/credentials";
import { plainFiles, secretFiles } from "../../cluster/manifests/control-plane/files";
import { kubeApiserverPod } from "../../cluster/manifests/control-plane/kube-apiserver";
import { credentialFiles } from "../../cluster/manifests/control-plane/secrets";
import { credentialsPath } from "../../cluster/manifests/pod";
import type { Cluster } from "../../cluster/model";
import { writePrivate } from "../../command-line/private-file";
import { GuardedProcess } from "./process";

const holder = "kube-apiserver";

/** Seconds that a program may take to serve. */
const startSeconds = 120;

export interface Rehearsed {
    readonly cluster: Cluster;
    readonly credentials: LastingCredentials;
    /** Private folder of the rehearsal. */
    readonly folder: string;
    /** Path of a program of a version, such as `kube-apiserver` 1.37.1. */
    readonly program: (name: "etcd" | "etcdutl" | "kube-apiserver", version: string) => string;
}

/** An etcd with the data of a snapshot, on a loopback port. */
export class RehearsalStore {
    private constructor(
        private readonly etcd: GuardedProcess,
        readonly port: number,
    ) {}

    /** Restores the snapshot and starts etcd. */
    static async start(
        { cluster, credentials, folder, program }: Rehearsed,
        snapshot: string,
    ): Promise<RehearsalStore> {
        const { etcd: version } = cluster.versions;
        const [port, peerPort] = await freePorts();
        const peer = `https://127.0.0.1:${peerPort}`;
        const data = join(folder, "etcd");
        const member = [
            "--name=rehearsal",
            `--initial-cluster=rehearsal=${peer}`,
            `--initial-advertise-peer-urls=${peer}`,
        ];
        const restore = ["snapshot", "restore", snapshot, `--data-dir=${data}`, ...member];
        await promisify(execFile)(program("etcdutl", version), restore);
        const [pair] = Object.values(credentials.etcdMembers);
        if (pair === undefined) throw new Error("the state of the stack has no certificate of an etcd member");
        const file = (name: string, text: string) => {
            const path = join(folder, name);
            writePrivate(path, text);
            return path;
        };
        const [ca, cert, key] = [
            file("etcd-ca.crt", credentials.etcdCa.cert),
            file("etcd.crt", pair.cert),
            file("etcd.key", pair.key),
        ];
        const client = `https://127.0.0.1:${port}`;
        const tls = (prefix: string) => [
            `--${prefix}trusted-ca-file=${ca}`,
            `--${prefix}cert-file=${cert}`,
            `--${prefix}key-file=${key}`,
            `--${prefix}client-cert-auth=true`,
        ];
        const urls = [
            `--listen-client-urls=${client}`,
            `--advertise-client-urls=${client}`,
            `--listen-peer-urls=${peer}`,
        ];
        const flags = [`--data-dir=${data}`, ...member, ...urls, ...tls(""), ...tls("peer-"), "--log-level=warn"];
        const etcd = new GuardedProcess(program("etcd", version), flags, join(folder, "etcd.log"));
        const { apiserverEtcdClient } = credentials;
        const api = new ApiClient(client, () => ({ ca: credentials.etcdCa.cert, ...apiserverEtcdClient }));
        await etcd.until(() => api.call("/health", { isFresh: true }), startSeconds);
        return new RehearsalStore(etcd, port);
    }

    stop(): Promise<void> {
        return this.etcd.stop();
    }
}

/** A kube-apiserver with the cluster's configuration on that etcd. It can connect to nothing else. */
export class RehearsalApi {
    private constructor(
        private readonly apiserver: GuardedProcess,
        readonly client: ApiClient,
        /** Seconds that it took to serve. */
        readonly seconds: number,
    ) {}

    /** @param emulated - the minor version that it behaves like. @default its own */
    static async start(rehearsed: Rehearsed, store: RehearsalStore, emulated?: string): Promise<RehearsalApi> {
        const { cluster, credentials, folder, program } = rehearsed;
        const version = cluster.versions.kubernetes;
        const [port] = await freePorts();
        const own = join(folder, `apiserver-${version}`);
        const flags = apiserverFlags(rehearsed, own, { port, etcdPort: store.port, emulated });
        const began = performance.now();
        const apiserver = new GuardedProcess(program(holder, version), flags, join(folder, "kube-apiserver.log"));
        const { kubernetesCa, admin } = credentials;
        const client = new ApiClient(
            `https://127.0.0.1:${port}`,
            () => ({ ca: kubernetesCa.cert, ...admin }),
            "tradewind-rehearse",
        );
        await apiserver.until(() => client.call("/readyz", { isFresh: true }), startSeconds);
        return new RehearsalApi(apiserver, client, (performance.now() - began) / 1000);
    }

    async stop(): Promise<void> {
        this.client.reconnect();
        await this.apiserver.stop();
    }
}

/** They would refuse what kube-apiserver writes when it starts, such as its roles, because no webhook answers. */
const webhookPlugins = ["MutatingAdmissionWebhook", "ValidatingAdmissionWebhook"];

/** Flags that would send something elsewhere, or that a single process on loopback cannot have. */
const dropped = [
    "audit-webhook-",
    "etcd-servers-overrides",
    "permit-port-sharing",
    "shutdown-delay-duration",
    "tracing-config-file",
];

/** Flags of the cluster, but for what leads to other machines. Writes the files that they name. */
export function apiserverFlags(
    { cluster, credentials }: Rehearsed,
    own: string,
    { port, etcdPort, emulated }: { port: number; etcdPort: number; emulated?: string },
): string[] {
    const write = (place: string, files: Readonly<Record<string, string>>) => {
        const directory = join(own, place);
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        for (const [name, text] of Object.entries(files)) writePrivate(join(directory, name), text);
        return directory;
    };
    const places: Readonly<Record<string, string>> = {
        [credentialsPath]: write("credentials", credentialFiles(cluster, holder, credentials)),
        [filesPath]: write("files", plainFiles(cluster, holder)),
        [secretFilesPath]: write("secret-files", secretFiles(cluster, holder, credentials)),
    };
    const isolated = write("isolated", { "egress.json": JSON.stringify(nowhere(join(own, "nowhere.sock"))) });
    const { spec } = kubeApiserverPod(cluster, "rehearsal");
    const [, ...flags] = (spec.containers as { command: string[] }[])[0]!.command;
    const nameOf = (flag: string) => /^--([^=]+)/.exec(flag)?.[1] ?? flag;
    const plugins = (flag: string) => {
        const lists = flags.filter((each) => nameOf(each) === flag).map((each) => each.slice(each.indexOf("=") + 1));
        return lists.flatMap((list) => list.split(",")).filter((each) => each && !webhookPlugins.includes(each));
    };
    const replaced: Readonly<Record<string, string>> = {
        // Not loopback, which it refuses. Nothing listens there: this network is for documentation.
        "advertise-address": "192.0.2.1",
        "audit-log-path": join(own, "audit.log"),
        // The cluster's issuers of tokens would be asked for their keys.
        "authentication-config": join(places[credentialsPath]!, "authentication.json"),
        "bind-address": "127.0.0.1",
        "disable-admission-plugins": [...plugins("disable-admission-plugins"), ...webhookPlugins].join(","),
        "egress-selector-config-file": join(isolated, "egress.json"),
        "enable-admission-plugins": plugins("enable-admission-plugins").join(","),
        // Otherwise it would write its address into the Service kubernetes.
        "endpoint-reconciler-type": "none",
        "etcd-servers": `https://127.0.0.1:${etcdPort}`,
        "secure-port": String(port),
        ...(emulated && { "emulated-version": emulated }),
    };
    const kept = flags
        .filter((flag) => !dropped.some((name) => nameOf(flag).startsWith(name)) && !(nameOf(flag) in replaced))
        .map((flag) =>
            Object.entries(places).reduce((text, [from, to]) => text.replaceAll(`${from}/`, `${to}/`), flag),
        );
    const hasAuditLog = flags.some((flag) => nameOf(flag) === "audit-log-path");
    const set = Object.entries(replaced).filter(([name]) => name !== "audit-log-path" || hasAuditLog);
    return [...kept, ...set.map(([name, value]) => `--${name}=${value}`)];
}

/**
 * Leads every connection to webhooks, nodes, aggregated APIs and the cluster's own kube-apiservers, whose addresses are in
 * the snapshot, to a socket that does not exist.
 */
function nowhere(socket: string): object {
    const connection = { proxyProtocol: "HTTPConnect", transport: { uds: { udsName: socket } } };
    return {
        apiVersion: "apiserver.k8s.io/v1beta1",
        kind: "EgressSelectorConfiguration",
        egressSelections: ["cluster", "controlplane"].map((name) => ({ name, connection })),
    };
}

/** Two ports that are free now. */
async function freePorts(): Promise<[number, number]> {
    const servers = [createServer(), createServer()];
    const ports = await Promise.all(
        servers.map(
            (server) =>
                new Promise<number>((resolve) => {
                    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
                }),
        ),
    );
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    return ports as [number, number];
}
