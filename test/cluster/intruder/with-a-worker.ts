import assert from "node:assert/strict";
import { request } from "node:https";
import { connectionOf } from "../../../clients/kubernetes/kubeconfig";
import { isReady } from "../../../clients/kubernetes/objects";
import { controllerLabel, poolLabel } from "../../../cluster/labels";
import { componentUsers } from "../../../cluster/manifests/pod";
import { ports } from "../../../cluster/network/ports";
import { paths } from "../../../cluster/paths";
import { resolveCluster } from "../../../cluster/resolve";
import type { HttpClient } from "../../../simulator/plugins/kubernetes/http";
import { images } from "../../../versions/images";
import { signingRequest } from "../../signing-request";
import { eventually } from "../cluster";
import type { Attacked } from "./attacked";
import { hostPod, sharePorts } from "./host-pods";
import { kubeletClient, kubeletPem } from "./kubelet-client";
import { byVxlan } from "./vxlan";

const namespace = "intruder";
const inNamespace = ["-n", namespace];
const inSystem = ["-n", "kube-system"];
const requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const ownRequest = "intruder-own";

interface Pod {
    readonly metadata: { readonly name: string; readonly uid: string };
    readonly spec: { readonly nodeName: string };
    readonly status: { readonly phase: string; readonly conditions?: { type: string; status: string }[] };
}

/** The API's error for an attempt that must fail, with the reason. */
async function refused(what: string, attempt: Promise<unknown>, why: RegExp): Promise<void> {
    const outcome = await attempt.then(
        () => "succeeded",
        (error: Error & { stderr?: string }) => `${error.message} ${error.stderr ?? ""}`,
    );
    assert.match(outcome, why, what);
}

const pausing = (name: string, nodeName: string, secretName: string) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace },
    spec: {
        nodeName,
        terminationGracePeriodSeconds: 0,
        containers: [{ name: "one", image: images.pause, volumeMounts: [{ name: "secret", mountPath: "/secret" }] }],
        volumes: [{ name: "secret", secret: { secretName } }],
    },
});

/** Resolves to the status of a response for this certificate, or none. */
function statusOf(host: string, port: number, path: string, pem?: string): Promise<number> {
    return new Promise((resolve, reject) => {
        const identity = pem === undefined ? {} : { cert: pem, key: pem };
        const sent = request({
            host,
            port,
            path,
            agent: false,
            rejectUnauthorized: false,
            timeout: 5_000,
            ...identity,
        });
        sent.on("timeout", () => sent.destroy(new Error("no answer within 5 s")));
        sent.on("error", reject);
        sent.on("response", (answer) => {
            answer.resume();
            resolve(answer.statusCode ?? 0);
        });
        sent.end();
    });
}

/** Attacks by what a worker has: its kubelet's certificate, root, the registry, and by pods with or without a network of their own. */
export function attacksWithWorker({ cluster, controllers, workers, cni, start }: Attacked): void {
    const controller = controllers[0]!;
    // For kube-router see `cni/kube-router.test.ts`.
    const itWithFlannel = cni === "flannel" ? it : it.skip;
    const [worker, otherWorker] = workers as [string, string];

    describe("an intruder", function () {
        this.timeout(180_000);
        before(async function () {
            this.timeout(600_000);
            await start();
            const level = (name: string) => ({ "pod-security.kubernetes.io/enforce": name });
            await cluster.apply({
                apiVersion: "v1",
                kind: "List",
                items: [
                    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels: level("privileged") } },
                    {
                        apiVersion: "v1",
                        kind: "Namespace",
                        metadata: { name: `${namespace}-restricted`, labels: level("restricted") },
                    },
                    ...["own", "other"].map((name) => ({
                        apiVersion: "v1",
                        kind: "Secret",
                        metadata: { name, namespace },
                        stringData: { word: name },
                    })),
                ],
            });
            await eventually("service accounts", () =>
                cluster.kubectl(...inNamespace, "get", "serviceaccount", "default"),
            );
        });

        after(async () => {
            await cluster.kubectl("delete", "csr", "--ignore-not-found", ownRequest);
            await cluster.kubectl("delete", "namespace", namespace, `${namespace}-restricted`, "--ignore-not-found");
        });

        describe("with the certificate of a worker's kubelet", () => {
            let kubelet: HttpClient;
            const get = (path: string) => kubelet.send({ method: "GET", path });
            const post = (path: string, body: object) => kubelet.send({ method: "POST", path, body });
            const label = (node: string, labels: object) =>
                kubelet.send({
                    method: "PATCH",
                    path: `/api/v1/nodes/${node}`,
                    contentType: "application/merge-patch+json",
                    body: { metadata: { labels } },
                });
            const secret = (name: string, from = namespace) => get(`/api/v1/namespaces/${from}/secrets/${name}`);
            const tokenFor = async (pod: string, node: string) => {
                const { metadata, spec } = await cluster.get<Pod>(...inNamespace, "pod", pod);
                assert.equal(spec.nodeName, node);
                const boundObjectRef = { apiVersion: "v1", kind: "Pod", name: pod, uid: metadata.uid };
                const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { boundObjectRef } };
                return post(`/api/v1/namespaces/${namespace}/serviceaccounts/default/token`, body);
            };
            const mirror = async (name: string, nodeName: string) => {
                const { metadata } = await cluster.get<Pod>("node", worker);
                const owner = { apiVersion: "v1", kind: "Node", name: worker, uid: metadata.uid, controller: true };
                return post(`/api/v1/namespaces/${namespace}/pods`, {
                    apiVersion: "v1",
                    kind: "Pod",
                    metadata: {
                        name,
                        annotations: { "kubernetes.io/config.mirror": "0" },
                        ownerReferences: [owner],
                    },
                    spec: { nodeName, containers: [{ name: "one", image: images.pause }] },
                });
            };

            before(async () => {
                await cluster.apply(pausing("own", worker, "own"));
                await cluster.apply(pausing("other", otherWorker, "other"));
                kubelet = await kubeletClient(cluster, worker);
            });
            after(() => kubelet?.close());

            it("can read the Secrets of that node's pods, and no others", async () => {
                await eventually("what it may read", () => secret("own"), 20);
                const why = /no relationship found between node|forbidden/;
                await refused("another node's", secret("other"), why);
                for (const name of Object.keys(componentUsers)) await refused(name, secret(name, "kube-system"), why);
                await refused("all", get("/api/v1/secrets"), why);
                await refused("kube-system's", get("/api/v1/namespaces/kube-system/secrets"), why);
            });

            it("can change only that node, and cannot make it a controller", async () => {
                await label(worker, { "example.com/intruder": "own" });
                await label(worker, { "example.com/intruder": null });
                await refused("another node", label(otherWorker, { a: "b" }), /not allowed to modify node/);
                await refused("a controller", label(controller, { a: "b" }), /not allowed to modify node/);
                await refused(
                    "the role of controllers",
                    label(worker, { [controllerLabel]: "" }),
                    /not allowed to modify labels|brings the control plane/,
                );
                await refused(
                    "a name",
                    label(worker, { "kubernetes.io/hostname": controller }),
                    /must be the node's name/,
                );
                await refused("a pool", label(worker, { [poolLabel]: "controller" }), /must stay the node's pool/);
                for (const node of [otherWorker, controller]) {
                    const path = `/api/v1/nodes/${node}`;
                    await refused(`deletes ${node}`, kubelet.send({ method: "DELETE", path }), /forbidden|not allowed/);
                }
            });

            itWithFlannel(
                "cannot make its Node look like another one to flannel, which would send that one's packets to it",
                async () => {
                    const annotationsOf = async (node: string) =>
                        (await cluster.get<{ metadata: { annotations: Record<string, string> } }>("node", node))
                            .metadata.annotations;
                    const [own, others] = [await annotationsOf(worker), await annotationsOf(controller)];
                    const annotate = (annotations: object) =>
                        kubelet.send({
                            method: "PATCH",
                            path: `/api/v1/nodes/${worker}/status`,
                            contentType: "application/merge-patch+json",
                            body: { metadata: { annotations } },
                        });
                    for (const key of ["backend-data", "public-ip"].map((name) => `flannel.alpha.coreos.com/${name}`)) {
                        assert.notEqual(own[key], others[key]);
                        await refused(
                            key,
                            annotate({ [key]: others[key] }),
                            /flannel's (hardware )?addresses of a node must/,
                        );
                        await annotate({ [key]: own[key] });
                    }
                },
            );

            it("can create no pod, not even a static one that answers for the cluster's DNS", async () => {
                await refused("its own", mirror("own-mirror", worker), /static pods are for controllers/);
                await refused(
                    "another node's",
                    mirror("other-mirror", otherWorker),
                    /can only create pods with spec.nodeName/,
                );
                await refused("a controller's", mirror("controller-mirror", controller), /can only create pods with/);
            });

            it("gets tokens only for that node's pods", async () => {
                await tokenFor("own", worker);
                await refused(
                    "of another node",
                    tokenFor("other", otherWorker),
                    /not allowed|no relationship|different node/,
                );
                const account = "/api/v1/namespaces/kube-system/serviceaccounts/namespace-controller/token";
                const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
                await refused("of kube-system", post(account, body), /not bound to a pod|no relationship|forbidden/);
            });

            it("gets certificates only in its own name, and approves none", async () => {
                const client = "kubernetes.io/kube-apiserver-client-kubelet";
                const serving = "kubernetes.io/kubelet-serving";
                const ask = (name: string, node: string, signer: string, usage: string) =>
                    kubelet.send({ method: "POST", path: requests, body: signingRequest(name, node, signer, usage) });
                // NodeRestriction denies it before an approver can decide.
                for (const node of [otherWorker, controller, `${cluster.name}-controller-9`]) {
                    const why = /can only create a node CSR with CN=/;
                    await refused(`client ${node}`, ask("intruder-client", node, client, "client auth"), why);
                    await refused(`server ${node}`, ask("intruder-server", node, serving, "server auth"), why);
                }
                await ask(ownRequest, worker, client, "client auth");
                const seen = () => cluster.get<{ status: { certificate?: string } }>("csr", ownRequest);
                await eventually("the certificate in its own name", async () =>
                    assert.ok((await seen()).status.certificate),
                );
                const approval = { type: "Approved", status: "True", reason: "Intruder", message: "by its requestor" };
                const body = { ...(await seen()), status: { conditions: [approval] } };
                const path = `${requests}/${ownRequest}/approval`;
                await refused("an approval", kubelet.send({ method: "PUT", path, body }), /forbidden/);
            });

            it("is rejected by etcd and by a controller's kubelet", async () => {
                const pem = await kubeletPem(cluster, worker);
                const { status } = await cluster.get<{ status: { addresses: { type: string; address: string }[] } }>(
                    "node",
                    controller,
                );
                const { address } = status.addresses.find(({ type }) => type === "InternalIP")!;
                const certified = (port: number, path: string) => statusOf(address, port, path, pem);
                assert.equal(await certified(ports.kubeApiserver, `/api/v1/nodes/${worker}`), 200);
                await refused(
                    "etcd",
                    certified(ports.etcdClient, "/v3/cluster/member/list"),
                    /certificate|alert|ECONNRESET/i,
                );
                await refused("etcd", certified(ports.etcdPeer, "/members"), /certificate|alert|ECONNRESET/i);
                const { certificate, key } = connectionOf(cluster.kubeconfig, {});
                assert.equal(await statusOf(address, ports.kubelet, "/pods", `${certificate}\n${key}`), 200);
                assert.equal(await certified(ports.kubelet, "/pods"), 403);
                assert.equal(await statusOf(address, ports.kubelet, "/pods"), 401);
            });
        });

        itWithFlannel(
            "with root on a worker does not reach etcd or SSH on a controller through the pod network",
            async () => {
                const addressOn = (link: string) =>
                    cluster.exec(
                        controller,
                        `ip -4 -oneline addr show ${link} | awk '{ sub("/.*", "", $4); print $4; exit }'`,
                    );
                const [address, gateway] = [await addressOn("eth0"), await addressOn("flannel.1")].map((text) =>
                    text.trim(),
                );
                const tried = [22, ports.etcdClient, ports.etcdPeer, ports.kubelet, ports.kubeApiserver];
                const tries = async () =>
                    (await cluster.exec(worker, byVxlan(address!, gateway!, tried))).trim().split("\n");
                const [ssh, client, peer, ...others] = await tries();
                assert.deepEqual(
                    [ssh, client, peer],
                    ["22 refused", `${ports.etcdClient} refused`, `${ports.etcdPeer} refused`],
                );
                assert.deepEqual(others, [`${ports.kubelet} reached`, `${ports.kubeApiserver} reached`]);
                // Without the rules they are reached, so the attempt is a real one: each is enough, by link and by sender. The
                // unit adds them again, as after a boot.
                const without = (packets: string) => {
                    const ofEtcd = `ipproto tcp dport ${ports.etcdClient}-${ports.etcdMetrics} priority 5`;
                    return cluster.exec(controller, `ip rule del ${packets} ${ofEtcd}`);
                };
                await without("iif flannel.1");
                assert.equal((await tries())[1], `${ports.etcdClient} refused`);
                await without(`from ${resolveCluster({ name: "c" }).network.podCidr.text}`);
                assert.equal((await tries())[1], `${ports.etcdClient} reached`);
                await cluster.exec(controller, "systemctl restart node-routes.service");
                assert.equal((await tries())[1], `${ports.etcdClient} refused`);
                // Nor does a restart of what owns the link take them away.
                const own = ["-l", "k8s-app=flannel", "--field-selector", `spec.nodeName=${controller}`];
                await cluster.kubectl(...inSystem, "delete", "pod", ...own);
                await cluster.kubectl(...inSystem, "rollout", "status", "daemonset/flannel", "--timeout=90s");
                assert.equal((await tries())[1], `${ports.etcdClient} refused`);
            },
        );

        it("with root on a worker gets no static pod among the endpoints of the cluster's DNS", async () => {
            const name = "intruder-dns";
            const manifest = {
                apiVersion: "v1",
                kind: "Pod",
                metadata: { name, namespace: "kube-system", labels: { "k8s-app": "kube-dns" } },
                spec: { hostNetwork: true, containers: [{ name: "one", image: images.pause }] },
            };
            const file = `${paths.staticPods}/${name}.json`;
            const since = (await cluster.exec(worker, "date +%s")).trim();
            await cluster.exec(worker, `mkdir -p ${paths.staticPods} && echo '${JSON.stringify(manifest)}' >${file}`);
            try {
                const log = `journalctl -u kubelet --since @${since} --no-pager | grep ${name} || true`;
                await eventually("the refusal of its mirror pod", async () =>
                    assert.match(await cluster.exec(worker, log), /static pods are for controllers/),
                );
                const { items } = await cluster.get<{
                    items: { endpoints?: { nodeName?: string; targetRef?: { name: string } }[] }[];
                }>(...inSystem, "endpointslices", "-l", "kubernetes.io/service-name=kube-dns");
                const pods = items.flatMap(({ endpoints = [] }) =>
                    endpoints.map(({ targetRef }) => targetRef?.name ?? ""),
                );
                assert.ok(pods.length > 0);
                assert.deepEqual(
                    pods.filter((pod) => !pod.startsWith("coredns-")),
                    [],
                );
            } finally {
                await cluster.exec(worker, `rm -f ${file}`);
            }
        });

        it("with the registry gets no other program into the control plane: its images are pulled by digest", async () => {
            const { items } = await cluster.get<{ items: { spec: { containers: { image: string }[] } }[] }>(
                ...inSystem,
                "pods",
            );
            const byTag = items
                .flatMap(({ spec }) => spec.containers.map(({ image }) => image))
                .filter((image) => !image.includes("@"));
            assert.deepEqual(byTag, []);
            assert.ok(items.length > 0);
        });

        describe("with a pod", () => {
            const create = (pod: object, into: string, ...more: string[]) => cluster.createIn(into, pod, ...more);
            const tryOut = (pod: object, into: string) => create(pod, into, "--dry-run=server");
            const log = (name: string) => cluster.kubectl(...inNamespace, "logs", name);

            it("gets no host network in a namespace without a level of its own", async () => {
                await refused("host network", tryOut(hostPod("any", worker, "0"), "default"), /violates PodSecurity/);
            });

            it("gets no host network in a namespace with the restricted level", async () => {
                const [on, off] = [true, false].map((hostNetwork) =>
                    hostPod("any", worker, "0", specOf({ hostNetwork })),
                );
                await tryOut(off!, `${namespace}-restricted`);
                await refused("host network", tryOut(on!, `${namespace}-restricted`), /violates PodSecurity/);
            });

            it("gets no priority that could evict the control plane from its node", async () => {
                for (const priorityClassName of ["system-cluster-critical", "system-node-critical"]) {
                    const pod = hostPod("any", controller, "0", specOf({ priorityClassName }));
                    await tryOut(pod, "kube-system");
                    await refused(
                        priorityClassName,
                        tryOut(pod, namespace),
                        /priority classes system-\* are for pods in/,
                    );
                }
            });

            it("cannot become a user of the control plane", async () => {
                for (const runAsUser of Object.values(componentUsers)) {
                    const as = (user: number) =>
                        hostPod("any", controller, "0", specOf({ securityContext: { runAsUser: user } }));
                    await tryOut(as(runAsUser + 100), namespace);
                    await refused(String(runAsUser), tryOut(as(runAsUser), namespace), /are the control plane's/);
                }
            });

            it("cannot share a port of the control plane on a controller's network", async () => {
                const shareable = [
                    ...[ports.kubeApiserver, ports.apiserverGate, ports.haproxyReady],
                    ...[ports.kubeControllerManager, ports.kubeScheduler],
                ];
                await create(hostPod("shares-ports", controller, sharePorts(shareable)), namespace);
                const { control, tries } = await eventually("its attempts", async () =>
                    JSON.parse(await log("shares-ports")),
                );
                assert.ok(control, "two sockets of the same user must share a port here");
                assert.deepEqual(
                    tries.filter(([, got]: [string, string]) => got !== "EADDRINUSE"),
                    [],
                );
                for (const port of shareable) {
                    assert.ok(
                        tries.some(([at]: [string, string]) => at.endsWith(`:${port}`)),
                        `nothing listens on ${port}`,
                    );
                }
            });

            it("gets no copy from the checkpointer, and does not block others", async () => {
                const marked = (name: string, annotations: object, template: object = {}) => ({
                    apiVersion: "apps/v1",
                    kind: "DaemonSet",
                    metadata: { name, namespace, labels: { hostile: "yes" } },
                    spec: {
                        selector: { matchLabels: { app: name } },
                        template: {
                            metadata: {
                                labels: { app: name },
                                annotations: { "tradewind.dev/checkpoint": "true", ...annotations },
                            },
                            spec: {
                                nodeSelector: { "kubernetes.io/hostname": controller },
                                tolerations: [{ operator: "Exists" }],
                                terminationGracePeriodSeconds: 0,
                                securityContext: { runAsUser: 65534 },
                                containers: [{ name: "one", image: images.pause, ...template }],
                            },
                        },
                    },
                });
                const address = (text: string) => ({ "tradewind.dev/loopback-address": text });
                const hostile = [
                    marked("kube-apiserver", {}),
                    marked("pattern", address('"securityContext".*?"image"')),
                    marked("no-pattern", address("(")),
                    marked("named-port", address("127.64.0.1"), {
                        readinessProbe: { httpGet: { port: "none", path: "/", host: "[" } },
                    }),
                ];
                const { metadata } = await cluster.get<Pod>(...inSystem, "daemonset", "kube-apiserver");
                const orphan = (name: string, owner: string) => ({
                    ...pausing(name, controller, "own"),
                    metadata: {
                        name,
                        namespace,
                        labels: { "controller-revision-hash": "0" },
                        annotations: { "tradewind.dev/checkpoint": "true" },
                        ownerReferences: [
                            {
                                apiVersion: "apps/v1",
                                kind: "DaemonSet",
                                name: owner,
                                uid: metadata.uid,
                                controller: true,
                            },
                        ],
                    },
                });
                const forged = [
                    orphan("kube-apiserver-abcde", "kube-apiserver"),
                    orphan("way-out-abcde", "../../kube-system/daemonsets/kube-apiserver"),
                ];
                await cluster.apply({ apiVersion: "v1", kind: "List", items: [...hostile, ...forged] });
                await eventually("hostile pods that run", async () => {
                    const { items } = await cluster.get<{ items: Pod[] }>(...inNamespace, "pods", "-l", "app");
                    const running = items.filter(({ status }) => status.phase === "Running");
                    assert.equal(running.length, hostile.length);
                });
                // Later checkpoints show that the checkpointer has processed them.
                const own = [...inSystem, "pods", "-l", "k8s-app=kube-scheduler"];
                const before = (await cluster.get<{ items: Pod[] }>(...own)).items.map(({ metadata: { uid } }) => uid);
                await cluster.kubectl(...inSystem, "delete", "pod", "-l", "k8s-app=kube-scheduler");
                const saved = `${paths.checkpoints}/kube-system/kube-scheduler/current/checkpoint.json`;
                await eventually(
                    "a checkpoint of the next kube-scheduler",
                    async () => {
                        const { uid } = JSON.parse(await cluster.exec(controller, `cat ${saved}`));
                        assert.ok(!before.includes(uid));
                    },
                    90,
                );
                const lists = `find ${paths.checkpoints} ${paths.staticPods} | sort`;
                const texts = `grep -rlE '"namespace": ?"${namespace}"' ${paths.checkpoints} ${paths.staticPods} || true`;
                assert.doesNotMatch(await cluster.exec(controller, lists), new RegExp(namespace));
                assert.equal((await cluster.exec(controller, texts)).trim(), "");
                // The checkpointer asks the kubelet, so it knows that a pod is Ready before the API does.
                await eventually("the next kube-scheduler to be Ready", async () => {
                    const { items } = await cluster.get<{ items: Pod[] }>(...own);
                    assert.ok(items.some(({ metadata: { uid }, status }) => !before.includes(uid) && isReady(status)));
                });
            });
        });
    });
}

/** Differences to a pod on the host network. */
function specOf(spec: object): object {
    return { hostNetwork: false, ...spec };
}
