import assert from "node:assert/strict";
import { ports } from "../../../cluster/network/ports";
import { paths } from "../../../cluster/paths";
import { eventually } from "../cluster";
import type { Attacked } from "./attacked";
import { type Attempt, tryAll } from "./attempts";
import { hostPod } from "./host-pods";
import { metadataUrl, serveMetadata } from "./metadata";

/** One without a level of its own, and one where pods may do everything. */
const [usual, open] = ["intruder-usual", "intruder-open"] as const;

const idle = "setInterval(() => {}, 60_000)";
/** A routing rule prohibits it. Linux limits how often it says so, and drops the other packets. */
const unreached = /^(E(HOST|NET)UNREACH|EACCES|timeout)$/;

const inPodNetwork = { hostNetwork: false, automountServiceAccountToken: true };
const disk = { volumes: [{ name: "disk", hostPath: { path: "/" } }] };
const withDisk = { volumeMounts: [{ name: "disk", mountPath: "/host", readOnly: true }] };

/** Attacks by a pod, in a namespace with and without a level of its own. */
export function attacksInPod({ cluster, controllers, workers, start }: Attacked): void {
    const [controller, worker] = [controllers[0]!, workers[0]!];

    /** In its namespace, each pod runs until the end, and makes its attempts on demand. */
    const pods = [
        { into: usual, name: "worker", pod: hostPod("worker", worker, idle, inPodNetwork) },
        { into: usual, name: "controller", pod: hostPod("controller", controller, idle, inPodNetwork) },
        { into: open, name: "worker", pod: hostPod("worker", worker, idle, disk, withDisk) },
        { into: open, name: "controller", pod: hostPod("controller", controller, idle, disk, withDisk) },
    ] as const;

    async function outcomes(
        [namespace, pod]: readonly [string, string],
        attempts: Readonly<Record<string, Attempt>>,
    ): Promise<Record<string, string | number>> {
        return JSON.parse(await cluster.kubectl("-n", namespace, "exec", pod, "--", "node", "-e", tryAll(attempts)));
    }

    /** Asserts what becomes of each attempt: an outcome, or any but a status. */
    async function assertOutcomes(
        from: readonly [namespace: string, pod: string],
        table: Readonly<Record<string, readonly [Attempt, string | number | RegExp]>>,
    ): Promise<void> {
        const attempts = Object.fromEntries(Object.entries(table).map(([name, [attempt]]) => [name, attempt]));
        const found = await outcomes(from, attempts);
        const wrong = Object.entries(table).filter(([name, [, expected]]) =>
            expected instanceof RegExp ? !expected.test(String(found[name])) : found[name] !== expected,
        );
        assert.deepEqual(
            wrong.map(([name]) => [name, found[name]]),
            [],
            JSON.stringify(found),
        );
    }

    describe("an intruder in a pod", function () {
        this.timeout(120_000);
        let address: string;

        before(async function () {
            this.timeout(600_000);
            await start();
            const level = { labels: { "pod-security.kubernetes.io/enforce": "privileged" } };
            const namespaceOf = (name: string, more: object) => ({
                apiVersion: "v1",
                kind: "Namespace",
                metadata: { name, ...more },
            });
            const items = [namespaceOf(usual, {}), namespaceOf(open, level)];
            await cluster.apply({ apiVersion: "v1", kind: "List", items });
            await eventually("service accounts", async () => {
                for (const name of [usual, open]) await cluster.kubectl("-n", name, "get", "serviceaccount", "default");
            });
            await Promise.all(pods.map(({ into, pod }) => cluster.createIn(into, pod)));
            const all = ["wait", "--for=condition=Ready", "pod", "--all", "--timeout=90s"];
            await Promise.all([usual, open].map((name) => cluster.kubectl("-n", name, ...all)));
            interface Node {
                readonly status: { readonly addresses: { type: string; address: string }[] };
            }
            const { status } = await cluster.get<Node>("node", controller);
            address = status.addresses.find(({ type }) => type === "InternalIP")!.address;
        });

        after(() => cluster.kubectl("delete", "namespace", usual, open, "--ignore-not-found", "--wait=false"));

        it("gets nothing of the node in a namespace without a level of its own", async () => {
            const path = { volumes: [{ name: "disk", hostPath: { path: "/etc/kubernetes" } }] };
            const cases: readonly (readonly [what: string, spec: object, container?: object])[] = [
                ["its network", { hostNetwork: true }],
                ["its processes", { hostPID: true }],
                ["its cluster memory", { hostIPC: true }],
                ["its files", path],
                ["its ports", {}, { ports: [{ containerPort: 80, hostPort: 80 }] }],
                ["all privileges", {}, { securityContext: { privileged: true } }],
                ["a capability", {}, { securityContext: { capabilities: { add: ["NET_ADMIN"] } } }],
                ["all system calls", {}, { securityContext: { seccompProfile: { type: "Unconfined" } } }],
            ];
            const all = [["only itself", {}] as const, ...cases];
            const created = async (into: string) => {
                const items = all.map(([, spec, more], index) =>
                    hostPod(`pod-${index}`, worker, idle, { hostNetwork: false, ...spec }, more),
                );
                const list = { apiVersion: "v1", kind: "List", items };
                const refusals = await cluster.createIn(into, list, "--dry-run=server").then(
                    () => "",
                    ({ stderr }: { stderr: string }) => stderr,
                );
                const named = [...refusals.matchAll(/pods "pod-(\d+)" is forbidden: violates PodSecurity "baseline/g)];
                const refused = named.map(([, index]) => all[Number(index)]![0]);
                assert.equal(refusals.match(/^Error/gm)?.length ?? 0, refused.length, refusals);
                return all.map(([what]) => what).filter((what) => !refused.includes(what));
            };
            assert.deepEqual(await created(usual), ["only itself"]);
            assert.deepEqual(
                await created(open),
                all.map(([what]) => what),
            );
        });

        it("reads nothing of the cluster, by its own token or without one", async () => {
            const api = (path: string, token = true): Attempt => ({
                url: `https://kubernetes.default.svc${path}`,
                token,
            });
            const info = "/api/v1/namespaces/kube-public/configmaps/cluster-info";
            await assertOutcomes([usual, "worker"], {
                "the API knows it": [api("/version"), 200],
                "its Secrets": [api(`/api/v1/namespaces/${usual}/secrets`), 403],
                "the CA's key": [api("/api/v1/namespaces/kube-system/secrets/kube-controller-manager"), 403],
                "all Secrets": [api("/api/v1/secrets"), 403],
                nodes: [api("/api/v1/nodes"), 403],
                "its node": [api(`/api/v1/nodes/${worker}`), 403],
                "its node's pods": [api(`/api/v1/nodes/${worker}/proxy/pods`), 403],
                pods: [api("/api/v1/pods"), 403],
                "cluster-info": [api(info), 403],
                "the API's health, anonymously": [api("/readyz", false), 200],
                "cluster-info, anonymously": [api(info, false), 401],
                "nodes, anonymously": [api("/api/v1/nodes", false), 401],
            });
        });

        it("does not reach the metadata of its machine, which pods on the host's network do", async () => {
            const outcome = async (...from: [string, string]) =>
                (await outcomes(from, { one: { url: metadataUrl } })).one;
            const remove = await serveMetadata(cluster, { worker, controller, address });
            try {
                assert.equal(await outcome(open, "worker"), 401);
                assert.match(String(await outcome(usual, "worker")), unreached);
                // Without the rule it is reached, so the attempt is a real one.
                await cluster.exec(worker, "ip rule del priority 100");
                assert.equal(await outcome(usual, "worker"), 401);
                await cluster.exec(worker, `${paths.bin}/node-routes`);
                assert.match(String(await outcome(usual, "worker")), unreached);
            } finally {
                await cluster.exec(worker, `${paths.bin}/node-routes`);
                await remove();
            }
        });

        for (const place of ["worker", "controller"] as const) {
            it(`takes the API from no others by 8400 connections that say nothing, from a ${place}`, async () => {
                const open = `const { connect } = require("node:net");
                for (let i = 0; i < 8400; i++) {
                    const socket = connect(${ports.kubeApiserver}, "${address}");
                    socket.on("error", () => {});
                }
                setTimeout(() => console.log("connected"), 2000);
                setTimeout(() => process.exit(), 15000);`;
                const attack = cluster.kubectl("-n", usual, "exec", place, "--", "node", "-e", open);
                try {
                    // They are there by now, and are closed after 5 s.
                    await new Promise((done) => setTimeout(done, 4000));
                    const other = place === "worker" ? "controller" : "worker";
                    const ask = (url: string) => `curl -sk -m 3 -o /dev/null -w '%{http_code}' ${url}/readyz`;
                    const kubeconfig = `sed -n 's/^ *server: //p;s/.*"server": *"\\([^"]*\\)".*/\\1/p' ${paths.kubeconfig}`;
                    assert.deepEqual(
                        await Promise.all([
                            cluster.exec(controller, ask(`https://127.0.0.1:${ports.kubeApiserver}`)),
                            cluster.exec(worker, ask(`$(${kubeconfig} | head -1)`)),
                            outcomes([usual, other], {
                                api: { url: `https://${address}:${ports.kubeApiserver}/readyz` },
                            }),
                            cluster.kubectl("get", "--raw", "/readyz", "--request-timeout=3s"),
                        ]),
                        ["200", "200", { api: 200 }, "ok"],
                    );
                } finally {
                    await attack;
                }
            });
        }

        it("takes metrics from no others by idle connections and invalid tokens", async () => {
            const scraper = {
                apiVersion: "rbac.authorization.k8s.io/v1",
                kind: "ClusterRoleBinding",
                metadata: { name: "intruder-scraper" },
                roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "system:monitoring" },
                subjects: [{ kind: "ServiceAccount", name: "scraper", namespace: open }],
            };
            const account = {
                apiVersion: "v1",
                kind: "ServiceAccount",
                metadata: { name: "scraper", namespace: open },
            };
            await cluster.apply({ apiVersion: "v1", kind: "List", items: [account, scraper] });
            const attack = `const { connect } = require("node:net");
            const { request } = require("node:https");
            const [host, port] = ["${address}", ${ports.metricsProxy}];
            for (let i = 0; i < 300; i++) connect(port, host).on("error", () => {});
            const ask = () => {
                const headers = { authorization: "Bearer " + Math.random() };
                const options = { host, port, path: "/metrics", headers, agent: false, rejectUnauthorized: false };
                const again = () => setTimeout(ask, 20);
                request(options, (answer) => answer.resume().on("end", again)).on("error", again).end();
            };
            for (let i = 0; i < 48; i++) ask();
            setTimeout(() => process.exit(), 20000);`;
            const attacking = cluster.kubectl("-n", usual, "exec", "controller", "--", "node", "-e", attack);
            try {
                await new Promise((done) => setTimeout(done, 4000));
                const ask = (path: string, token = "") =>
                    `curl -sk -m 5 -o /dev/null -w '%{http_code}' -H 'Authorization: Bearer ${token}' https://${address}:${ports.metricsProxy}${path} || true`;
                const statuses: string[] = [];
                for (let i = 0; i < 5; i++) {
                    const token = (await cluster.kubectl("-n", open, "create", "token", "scraper")).trim();
                    statuses.push(await cluster.exec(worker, ask("/metrics", token)));
                    statuses.push(await cluster.exec(controller, ask("/livez")));
                }
                assert.deepEqual(
                    statuses,
                    Array.from({ length: 10 }, () => "200"),
                );
            } finally {
                await attacking;
                await cluster.kubectl("delete", "clusterrolebinding", "intruder-scraper");
            }
        });

        it("gets no packet into the overlay of another node or its own, past NetworkPolicies", async () => {
            const { status } = await cluster.get<{ status: { addresses: { type: string; address: string }[] } }>(
                "node",
                worker,
            );
            const own = status.addresses.find(({ type }) => type === "InternalIP")!.address;
            const send = `const socket = require("node:dgram").createSocket("udp4");
let left = 20;
for (const address of ["${address}", "${own}"])
    for (let i = 0; i < 10; i++)
        socket.send(Buffer.alloc(60), ${ports.flannelVxlan}, address, () => --left || socket.close());`;
            const received = async () => {
                const tables = [worker, controller].map((node) =>
                    cluster.exec(node, "nft list table inet tradewind-overlay"),
                );
                return (await Promise.all(tables)).map((counters) => {
                    assert.match(counters, /iifname "cni0" udp dport 8472 counter .*drop/);
                    return [...counters.matchAll(/counter packets (\d+)/g)].map(([, count]) => Number(count));
                });
            };
            const before = await received();
            await cluster.kubectl("-n", usual, "exec", "worker", "--", "node", "-e", send);
            const dropped = (await received()).map((counts, node) =>
                counts.slice(0, 4).map((count, index) => count - before[node]![index]!),
            );
            // Into the node itself from its bridge, from links of flannel and of kube-router, and out of it.
            assert.deepEqual(dropped, [
                [10, 0, 0, 10],
                [0, 0, 0, 0],
            ]);
        });

        it("does not reach etcd from a controller's pod network, where it reaches the API", async () => {
            const at = (port: number): Attempt => ({ url: `https://${address}:${port}/` });
            await assertOutcomes([usual, "controller"], {
                "the API": [at(ports.kubeApiserver), 401],
                "etcd, for clients": [at(ports.etcdClient), unreached],
                "etcd, for members": [at(ports.etcdPeer), unreached],
                "etcd's metrics": [at(ports.etcdMetrics), unreached],
            });
        });

        it("on a worker's network gets no answer from what a controller keeps for itself", async () => {
            const at = (port: number, path = "/", method = "GET"): Attempt => {
                return { url: `https://${address}:${port}${path}`, method };
            };
            const noCertificate = /ALERT|ECONNRESET/;
            await assertOutcomes([open, "worker"], {
                "the API": [at(ports.kubeApiserver, "/readyz"), 200],
                "etcd, for clients": [at(ports.etcdClient, "/version"), noCertificate],
                "etcd, for members": [at(ports.etcdPeer, "/version"), noCertificate],
                // No receiver listens any more: kube-apiserver answers.
                "the receiver of assets": [at(ports.kubeApiserver, "/assets", "POST"), 401],
                "the progress of the bootstrap": [at(ports.kubeApiserver, "/standing"), 401],
                "the kubelet": [at(ports.kubelet, "/pods"), 401],
                ...Object.fromEntries(
                    [
                        ...([
                            "etcdMetrics",
                            "apiserverGate",
                            "haproxyReady",
                            "kubeControllerManager",
                            "kubeScheduler",
                        ] as const),
                        ...([
                            "checkpointerHealthz",
                            "nodeAgentHealthz",
                            "etcdKeeperMetrics",
                            "kubeletHealthz",
                        ] as const),
                    ].map((name) => [name, [at(ports[name]), "ECONNREFUSED"] as const]),
                ),
            });
        });

        it("reads no key of a controller, nor of a worker, with all of its disk but not as root", async () => {
            const closed = (all: readonly string[]) =>
                Object.fromEntries(all.map((path) => [path, [{ path: `/host${path}` }, "EACCES"] as const]));
            const readable = { "what everyone may read": [{ path: `/host${paths.ca}` }, "read"] as const };
            const ofBoth = [paths.kubeletPki, paths.kubeletPods, paths.runtimeSocket, "/etc/shadow"];
            await assertOutcomes([open, "controller"], {
                ...readable,
                ...closed([
                    ...ofBoth,
                    paths.checkpoints,
                    paths.etcdPki,
                    paths.etcdData,
                    paths.bootstrapState,
                    "/var/log/kubernetes/audit",
                ]),
            });
            await assertOutcomes([open, "worker"], {
                ...readable,
                ...closed([...ofBoth, paths.bootstrapKubeconfig]),
                // Candidates for controllers have the directory.
                [paths.checkpoints]: [{ path: `/host${paths.checkpoints}` }, /^(ENOENT|EACCES)$/],
            });
        });
    });
}
