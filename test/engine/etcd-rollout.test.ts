import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { gaveUpCode, planSchema } from "../../agents/etcd/update/plan";
import { planProblems } from "../../agents/harness/plan";
import { ApiClient, readKubeconfig } from "../../clients/kubernetes/api-client";
import { etcdStaticPod } from "../../cluster/manifests/etcd/member";
import { resolveCluster } from "../../cluster/resolve";
import { etcdChanges, machineOf, type RunningMember } from "../../components/upgrade/etcd-changes";
import { rollOutEtcd } from "../../components/upgrade/etcd-rollout";
import { waitUntilShown } from "../../components/upgrade/reported-members";
import { etcdPods } from "../../components/upgrade/running";
import type { KubernetesObject } from "../../simulator/plugins/kubernetes/object";
import { ApiServer } from "./apiserver";

const system = "/api/v1/namespaces/kube-system";
const now = resolveCluster({ name: "c", controllers: { count: 3 } });
const desired = resolveCluster({ name: "c", controllers: { count: 3 }, etcdVersion: "3.6.16" });

interface Pod {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly nodeSelector: Record<string, string> };
    readonly status: { readonly phase: string };
}

describe("the rollout of another etcd, by a real kube-apiserver with its Jobs", function () {
    this.timeout(180_000);
    let server: ApiServer;
    let api: ApiClient;
    /** Exit codes of the following pods, by node: the last one repeats. */
    const exits = new Map<string, number[]>();
    const events: string[] = [];
    let isOver = false;
    let kubeletsTell = false;
    let nodes: Promise<void>;

    const apply = (object: object) =>
        server.cluster.apply(object as KubernetesObject, { fieldManager: "kubelet", force: true });
    const setStatus = (name: string, status: object) =>
        api.call(`${system}/pods/${name}/status`, {
            method: "PATCH",
            body: { status },
            contentType: "application/merge-patch+json",
        });

    /** As kubelets report it. */
    const showMember = async (from: typeof now, index: number) => {
        const name = from.controllers.names[index]!;
        const machine = { name, address: `10.0.0.${11 + index}` };
        const pod = etcdStaticPod(from, { machine, initialCluster: `${name}=…`, initialClusterState: "existing" });
        const { uid: _, ...metadata } = pod.metadata;
        await apply({
            ...pod,
            metadata: { ...metadata, name: `etcd-${name}` },
            spec: { ...(pod.spec as object), nodeName: name },
        });
    };

    /** Of members that the API no longer knows. */
    const tell = async () => {
        const known = await shown();
        for (const [index, name] of now.controllers.names.entries()) {
            if (!known.includes(name)) await showMember(desired, index);
        }
    };

    const end = async ({ metadata: { name }, spec }: Pod) => {
        const node = spec.nodeSelector["kubernetes.io/hostname"]!;
        const codes = exits.get(node) ?? [0];
        const exitCode = codes.length > 1 ? codes.shift()! : codes[0]!;
        events.push(`${node} ends with ${exitCode}`);
        const times = { startedAt: new Date().toISOString(), finishedAt: new Date().toISOString() };
        const message = exitCode === gaveUpCode ? "revert: done\nit ends; it serves as before\n" : "";
        const terminated = { exitCode, reason: exitCode === 0 ? "Completed" : "Error", message, ...times };
        await setStatus(name, {
            phase: exitCode === 0 ? "Succeeded" : "Failed",
            containerStatuses: [
                {
                    name: "etcd-update",
                    image: "node",
                    imageID: "",
                    ready: false,
                    restartCount: 0,
                    state: { terminated },
                },
            ],
        });
    };

    before(async () => {
        server = await ApiServer.start({ controllers: ["job-controller"] });
        const { server: url, credentials } = readKubeconfig(server.kubeconfig);
        api = new ApiClient(url, () => credentials);
        nodes = (async () => {
            while (!isOver) {
                const path = `${system}/pods?labelSelector=k8s-app%3Detcd-update`;
                const { items } = await api.call<{ items: Pod[] }>(path);
                for (const pod of items.filter(({ status }) => status.phase === "Pending")) await end(pod);
                if (kubeletsTell) await tell();
                await sleep(50);
            }
        })();
        for (const index of [0, 1, 2]) await showMember(now, index);
    });
    after(async () => {
        isOver = true;
        await nodes;
        api?.reconnect();
        await server?.stop();
    });

    const rollOut = async () => {
        const members = await etcdPods(api);
        const changes = etcdChanges(desired, members);
        await rollOutEtcd(api, desired, changes, members.map(machineOf), async (message) => void events.push(message));
        await waitUntilShown(api, desired, changes);
    };
    const shown = async () => (await etcdPods(api)).map(({ node }: RunningMember) => node).sort();

    it("recognizes up-to-date members, whatever defaults the API adds to their pods", async () => {
        assert.deepEqual(etcdChanges(now, await etcdPods(api)), []);
    });

    it("stops at a member whose agent gave up, with the reason; an agent that was killed is restarted", async () => {
        exits.set("c-controller-0", [137, 0]);
        exits.set("c-controller-1", [gaveUpCode]);
        await assert.rejects(
            rollOut(),
            /^Error: the etcd of c-controller-1 could not be changed: it ends; it serves as/,
        );
        assert.deepEqual(events.splice(0), [
            "c-controller-0 ends with 137",
            "c-controller-0 ends with 0",
            "etcd of c-controller-0: 3.6.8 becomes 3.6.16: done",
            "c-controller-1 ends with 3",
        ]);
        // Its kubelet has to report it again.
        assert.deepEqual(await shown(), ["c-controller-1", "c-controller-2"]);
        await showMember(desired, 0);
    });

    it("continues with the remaining members, and leaves nothing of the previous attempt", async () => {
        exits.clear();
        kubeletsTell = true;
        await rollOut();
        assert.deepEqual(etcdChanges(desired, await etcdPods(api)), []);
        assert.deepEqual(
            events.filter((event) => event.includes("ends")),
            ["c-controller-1 ends with 0", "c-controller-2 ends with 0"],
        );
        const jobs = await api.call<{ items: Pod[] }>("/apis/batch/v1/namespaces/kube-system/jobs");
        assert.equal(jobs.items.length, 2);
        const [job] = jobs.items;
        const { data } = await api.call<{ data: Record<string, string> }>(`${system}/configmaps/${job!.metadata.name}`);
        assert.deepEqual(planProblems(JSON.parse(data["plan.json"]!), planSchema), []);
        assert.match(data["etcd-update.js"]!, /wait-for-others/);
    });
});
