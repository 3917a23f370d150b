import assert from "node:assert/strict";
import { connectionOf } from "../../../clients/kubernetes/kubeconfig";
import { HttpClient } from "../../../simulator/plugins/kubernetes/http";
import { images } from "../../../versions/images";
import { eventually } from "../cluster";
import type { Attacked } from "./attacked";
import { hostPod } from "./host-pods";

const namespace = "intruder-tenant";
const tenant = `system:serviceaccount:${namespace}:developer`;

/** Attacks by accounts whose tokens an intruder can read, or who may edit a namespace. */
export function attacksWithAccount({ cluster, controllers, workers, cni, start }: Attacked): void {
    const controller = controllers[0]!;

    /** A pod of each account of kube-system that has a token on a node, which its root can read. */
    async function podsByAccount(node: string): Promise<Readonly<Record<string, string>>> {
        interface Pod {
            readonly metadata: { readonly name: string };
            readonly spec: {
                readonly serviceAccountName: string;
                readonly volumes?: readonly { projected?: object }[];
            };
        }
        const onNode = ["--field-selector", `spec.nodeName=${node},status.phase=Running`];
        const { items } = await cluster.get<{ items: Pod[] }>("pods", "-n", "kube-system", ...onNode);
        const holders = items.filter(({ spec }) => spec.volumes?.some(({ projected }) => projected !== undefined));
        return Object.fromEntries(holders.map(({ metadata, spec }) => [spec.serviceAccountName, metadata.name]));
    }

    /** A token of an account, bound to a pod and its node like the pod's own. */
    async function tokenOf(account: string, pod: string): Promise<string> {
        const bound = ["--bound-object-kind", "Pod", "--bound-object-name", pod];
        return (await cluster.kubectl("-n", "kube-system", "create", "token", account, ...bound)).trim();
    }

    /** The message of the error; `accepted` if there is none. */
    function outcomeOf(attempt: Promise<unknown>): Promise<string> {
        return attempt.then(
            () => "accepted",
            (error: Error & { stderr?: string }) => `${error.message} ${error.stderr ?? ""}`,
        );
    }

    describe("an intruder with an account of the cluster", function () {
        this.timeout(180_000);

        before(async function () {
            this.timeout(600_000);
            await start();
            await cluster.apply({
                apiVersion: "v1",
                kind: "List",
                items: [
                    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
                    {
                        apiVersion: "rbac.authorization.k8s.io/v1",
                        kind: "RoleBinding",
                        metadata: { name: "developer", namespace },
                        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "edit" },
                        subjects: [{ kind: "ServiceAccount", name: "developer", namespace }],
                    },
                ],
            });
        });
        after(async () => {
            await cluster.kubectl("-n", "kube-system", "delete", "pod", "intruder-words", "--ignore-not-found");
            await cluster.kubectl("delete", "namespace", namespace, "--ignore-not-found", "--wait=false");
        });

        it("whose tokens are on workers creates no pod, reads no Secret and changes no other node", async () => {
            const { server, ca } = connectionOf(cluster.kubeconfig, {});
            const onWorkers: Record<string, string> = Object.assign(
                {},
                ...(await Promise.all(workers.map(podsByAccount))),
            );
            for (const [account, pod] of Object.entries(onWorkers)) {
                const token = await tokenOf(account, pod);
                const http = new HttpClient({
                    server,
                    ca,
                    token,
                    cluster: "c",
                    namespace: "default",
                    isInsecure: false,
                });
                const pods = "/api/v1/namespaces/kube-system/pods";
                const attempts: Readonly<Record<string, Parameters<HttpClient["send"]>[0]>> = {
                    "creates a pod": {
                        method: "POST",
                        path: pods,
                        query: { dryRun: "All" },
                        body: hostPod("intruder", controller, "0"),
                    },
                    "reads a key": {
                        method: "GET",
                        path: "/api/v1/namespaces/kube-system/secrets/kube-controller-manager",
                    },
                    "changes a controller": {
                        method: "PATCH",
                        path: `/api/v1/nodes/${controller}/status`,
                        contentType: "application/merge-patch+json",
                        query: { dryRun: "All" },
                        body: { metadata: { annotations: { a: "b" } } },
                    },
                };
                try {
                    for (const [what, attempt] of Object.entries(attempts)) {
                        assert.match(await outcomeOf(http.send(attempt)), /forbidden|denied/i, `${account} ${what}`);
                    }
                } finally {
                    http.close();
                }
            }
            for (const name of [cni, "kube-proxy"]) assert.ok(name in onWorkers, name);
            // It may create pods in kube-system, so it runs on controllers.
            assert.ok(!("local-path-provisioner" in onWorkers));
            assert.ok("local-path-provisioner" in (await podsByAccount(controller)));
        });

        it("that may edit a namespace takes no address of the cluster by a Service", async () => {
            const service = (spec: object) => ({
                apiVersion: "v1",
                kind: "Service",
                metadata: { name: "taking" },
                spec: {
                    selector: { app: "taking" },
                    ports: [{ port: 53, protocol: "UDP", targetPort: 5353 }],
                    ...spec,
                },
            });
            const create = (spec: object) =>
                outcomeOf(cluster.createIn(namespace, service(spec), "--dry-run=server", "--as", tenant));
            assert.equal(await create({}), "accepted");
            const { status } = await cluster.get<{ status: { addresses: { type: string; address: string }[] } }>(
                "node",
                controller,
            );
            const address = status.addresses.find(({ type }) => type === "InternalIP")!.address;
            const { spec } = await cluster.get<{ spec: { clusterIP: string } }>(
                "-n",
                "kube-system",
                "service",
                "kube-dns",
            );
            for (const taken of [
                { externalIPs: [spec.clusterIP] },
                ...[6443, 2380, 10250].map((port) => ({ externalIPs: [address], ports: [{ port, targetPort: 8080 }] })),
            ]) {
                assert.match(await create(taken), /Use of external IPs is denied/, JSON.stringify(taken));
            }
        });

        it("does not write to the terminal of an administrator who reads the status", async () => {
            const words = "\x1b[2J\x1b[H\x1b]0;PWNED\x07\x1b[32mtest is healthy\r";
            const program = `require("node:fs").writeFileSync("/dev/termination-log", ${JSON.stringify(words)}); process.exit(1)`;
            await cluster.createIn("kube-system", {
                apiVersion: "v1",
                kind: "Pod",
                metadata: { name: "intruder-words" },
                spec: {
                    nodeName: workers[0],
                    restartPolicy: "Always",
                    terminationGracePeriodSeconds: 0,
                    automountServiceAccountToken: false,
                    containers: [{ name: "one", image: images.node, command: ["node", "-e", program] }],
                },
            });
            await eventually(
                "its last words in the status",
                async () => {
                    // The command exits with 1, because a pod fails.
                    const text = await cluster.tradewind("status").then(
                        ({ stdout }) => stdout,
                        ({ message }: Error) => message,
                    );
                    assert.match(text, /intruder-words/);
                    assert.match(text, /\\u001b\[2J/);
                    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there.
                    assert.doesNotMatch(text, /[\x07\x1b\r]/);
                },
                120,
            );
        });
    });
}
