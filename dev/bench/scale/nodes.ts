import { generateKeyPairSync } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { signerName } from "../../../agents/nodes/approver/identify";
import { Api } from "../../../agents/nodes/node-agent/api";
import { list, patch } from "../../../clients/kubernetes/api-client";
import { requestsPath, type SigningRequest } from "../../../clients/kubernetes/signing-requests";
import { poolLabel } from "../../../cluster/labels";
import { nodePoolsConfig } from "../../../cluster/manifests/nodes/node-approver";
import { poolGroup } from "../../../cluster/manifests/rbac";
import { request as certificateRequest } from "../../../simulator/plugins/tls/cert-request";
import { applyAll } from "../../../test/engine/service-account";
import type { ControlPlane } from "./control-plane";
import { simulated } from "./kwok";

export const pool = "default";

export const nodeName = (index: number) => `bench-${pool}-${index}`;

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const requestsUrl = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

/** Runs work for each, several at a time. */
export async function inParallel<T>(all: readonly T[], work: (each: T) => Promise<unknown>, most = 16): Promise<void> {
    const left = [...all];
    const one = async () => {
        for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
    };
    await Promise.all(Array.from({ length: most }, one));
}

/** All these nodes request their first certificate at once. @returns seconds until the last one has it */
export async function admit(plane: ControlPlane, names: readonly string[], known: readonly string[]): Promise<number> {
    await applyAll(plane.api, [nodePoolsConfig({ pools: { [pool]: { nodes: known } } })]);
    const joining = plane.clientOf("system:bootstrap:bench", poolGroup(pool));
    const start = performance.now();
    await inParallel(names, (name) => {
        const subject = { commonName: `system:node:${name}`, organization: "system:nodes" };
        const pem = certificateRequest(subject, { dnsNames: [], ipAddresses: [], uris: [] }, privateKey);
        const usages = ["digital signature", "client auth"];
        const spec = { request: Buffer.from(pem).toString("base64"), signerName, usages };
        const body = {
            apiVersion: "certificates.k8s.io/v1",
            kind: "CertificateSigningRequest",
            metadata: { name },
            spec,
        };
        return joining.call(requestsUrl, { method: "POST", body });
    });
    joining.reconnect();
    for (;;) {
        const left = (await certificates(plane, names)).filter((certificate) => certificate === undefined).length;
        const seconds = (performance.now() - start) / 1000;
        if (left === 0) return seconds;
        if (seconds > 900) throw new Error(`${left} of ${names.length} nodes have no certificate after ${seconds} s`);
        await sleep(500);
    }
}

async function certificates(plane: ControlPlane, names: readonly string[]): Promise<(string | undefined)[]> {
    type Issued = SigningRequest & { readonly status?: { readonly certificate?: string } };
    const issued = await list<Issued>(plane.admin, `${requestsPath(signerName)}&resourceVersion=0`);
    const found = new Map(issued.map((each) => [each.metadata.name, each]));
    return names.map((name) => found.get(name)?.status?.certificate);
}

/** A Node as its kubelet registers it, with a list of images. */
const status = (index: number) => ({
    addresses: [
        { type: "InternalIP", address: `127.1.${index >> 8}.${index & 255}` },
        { type: "Hostname", address: nodeName(index) },
    ],
    allocatable: { cpu: "8", memory: "32Gi", pods: "110" },
    capacity: { cpu: "8", memory: "32Gi", pods: "110" },
    conditions: ["MemoryPressure", "DiskPressure", "PIDPressure", "Ready"].map((type) => ({
        type,
        status: type === "Ready" ? "True" : "False",
        reason: `Kubelet${type}`,
        message: `kubelet is posting ${type} status`,
        lastHeartbeatTime: new Date(),
        lastTransitionTime: new Date(),
    })),
    images: Array.from({ length: 25 }, (_, image) => ({
        names: [
            `registry.example/some-team/image-${image}@sha256:${"0".repeat(64)}`,
            `registry.example/some-team/image-${image}:v1`,
        ],
        sizeBytes: 100_000_000,
    })),
    nodeInfo: {
        ...{ kubeletVersion: "v1.36.3", kubeProxyVersion: "", architecture: "amd64", operatingSystem: "linux" },
        ...{ bootID: "b", machineID: "m", systemUUID: "s", kernelVersion: "6.18", osImage: "Bench" },
        containerRuntimeVersion: "containerd://2.4.2",
    },
});

export async function register(plane: ControlPlane, indexes: readonly number[]): Promise<void> {
    await inParallel(indexes, async (index) => {
        const labels = { [poolLabel]: pool, "kubernetes.io/hostname": nodeName(index) };
        const metadata = { name: nodeName(index), labels, annotations: simulated };
        const body = { apiVersion: "v1", kind: "Node", metadata };
        await plane.admin.call("/api/v1/nodes", { method: "POST", body });
        await patch(plane.admin, `/api/v1/nodes/${nodeName(index)}/status`, "merge", { status: status(index) });
    });
}

/** Waits until every node has a ready pod of each of these DaemonSets, with the newest template. */
export async function untilRolledOut(plane: ControlPlane, nodes: number, signal: AbortSignal): Promise<void> {
    interface Set {
        readonly metadata: { readonly name: string; readonly generation: number };
        readonly status?: Readonly<Record<string, number>>;
    }
    for (const start = performance.now(); ; await sleep(500, undefined, { signal })) {
        const sets = await list<Set>(plane.admin, "/apis/apps/v1/namespaces/kube-system/daemonsets");
        const waiting = sets.filter(({ metadata, status = {} }) => {
            const { observedGeneration = 0, updatedNumberScheduled = 0, numberAvailable = 0 } = status;
            return (
                observedGeneration < metadata.generation || updatedNumberScheduled < nodes || numberAvailable < nodes
            );
        });
        if (waiting.length === 0) return;
        if (performance.now() - start > 900_000) {
            throw new Error(
                `not rolled out: ${JSON.stringify(waiting.map(({ metadata, status }) => [metadata.name, status]))}`,
            );
        }
    }
}

/** The part of node-agents that uses the API: on nodes without machines, nothing else of them can run. */
export class NodeAgents {
    readonly #apis: Api[] = [];
    readonly #stop = new AbortController();
    failures = 0;

    constructor() {
        setMaxListeners(0, this.#stop.signal);
    }

    /** Milliseconds between two reconciles, as in agents/nodes/node-agent/agent.ts. */
    readonly #calm = 15_000;
    readonly #busy = 1_000;

    /** Starts those of these nodes, with their own certificates and permissions. */
    async add(plane: ControlPlane, names: readonly string[], ca: string): Promise<void> {
        const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
        for (const [index, certificate] of (await certificates(plane, names)).entries()) {
            const name = names[index]!;
            const client = plane.write(`${name}.pem`, Buffer.from(certificate!, "base64").toString() + key);
            const api = new Api({ apiServers: [plane.server], credentials: { ca, client } }, name);
            this.#apis.push(api);
            void this.#repeat(() => this.#observe(api, true), this.#calm, Math.random() * this.#calm);
        }
    }

    /** Agents that change their nodes read the API each second. */
    async busyFor(seconds: number, agents: number): Promise<void> {
        const end = performance.now() + seconds * 1000;
        await Promise.all(
            this.#apis.slice(0, agents).map(async (api) => {
                while (performance.now() < end) {
                    await this.#observe(api, false);
                    await sleep(this.#busy);
                }
            }),
        );
    }

    stop(): void {
        this.#stop.abort();
    }

    async #observe(api: Api, isWatched: boolean): Promise<void> {
        try {
            await Promise.all([api.node(isWatched), api.pods(isWatched)]);
        } catch {
            this.failures += 1;
        }
    }

    async #repeat(work: () => Promise<void>, every: number, first: number): Promise<void> {
        const signal = this.#stop.signal;
        await sleep(first, undefined, { signal }).catch(() => undefined);
        while (!signal.aborted) {
            await work();
            await sleep(every, undefined, { signal }).catch(() => undefined);
        }
    }
}
