import assert from "node:assert/strict";
import type { ApiClient, Call } from "../../../../clients/kubernetes/api-client";
import { firstStart } from "../../../../cluster/machines/bootstrap/assets";
import { etcdStaticPod } from "../../../../cluster/manifests/etcd/member";
import { rollOutEtcd, unfinishedMembers } from "../../../../components/upgrade/etcd-rollout";
import { firstController, fixedCluster } from "../in-cluster/fixture";

const cluster = fixedCluster({ controllers: { count: 3 } });
const machine = firstController(cluster);
const changes = cluster.controllers.names.map((node) => ({
    node,
    start: firstStart(machine),
    text: `etcd of ${node}`,
}));

/** A healthy member as reported by a kubelet. */
function shown(nodeName: string): object {
    const { spec } = etcdStaticPod(cluster, firstStart(machine));
    return { spec: { ...(spec as object), nodeName } };
}

/** An API whose Jobs end as given, with some left by an earlier `up`. */
function fakeApi(end: (job: string) => "Complete" | "Failed") {
    const calls: string[] = [];
    let left = ["etcd-update-left"];
    const answer = (path: string, { method = "GET", body }: Call = {}): unknown => {
        const { metadata, kind } = (body ?? {}) as { metadata?: { name: string }; kind?: string };
        const last = path.split("/").at(-1)!;
        if (method === "DELETE") {
            left = left.filter((name) => name !== last);
            return calls.push(`delete ${last}`);
        }
        if (method === "POST") {
            const short = metadata!.name.replace(/-[^-]+$/, "");
            calls.push(`make ${kind} ${short}`);
            return { metadata: { ...metadata, uid: "uid" } };
        }
        if (path.endsWith("k8s-app%3Detcd")) return { items: cluster.controllers.names.map(shown) };
        if (path.includes("labelSelector=k8s-app")) return { items: left.map((name) => ({ metadata: { name } })) };
        if (path.includes("/log")) return "switch-manifest: wrote it\nit did not serve; it serves as before\n";
        if (path.includes("/pods")) return { items: [{ metadata: { name: "pod", creationTimestamp: "" } }] };
        return { status: { conditions: [{ type: end(last), status: "True" }] } };
    };
    const api = { call: async (path: string, call?: Call) => answer(path, call) } as unknown as ApiClient;
    return { api, calls };
}

describe("members that an earlier `up` is still changing", () => {
    it("are those with Jobs that have not ended", async () => {
        const job = (node: string, ...conditions: object[]) => ({
            spec: { template: { spec: { nodeSelector: { "kubernetes.io/hostname": node } } } },
            status: { conditions },
        });
        const items = [
            job("a", { type: "Complete", status: "True" }),
            job("b"),
            job("c", { type: "Failed", status: "True" }),
            job("d", { type: "Suspended", status: "False" }),
        ];
        const api = { call: async () => ({ items }) } as unknown as ApiClient;
        assert.deepEqual(await unfinishedMembers(api), ["b", "d"]);
    });
});

describe("the rollout of another etcd", function () {
    this.timeout(60_000);
    const told: string[] = [];
    const tell = async (message: string) => void told.push(message);

    it("starts when nothing of an earlier one is left, and proceeds member by member", async () => {
        const { api, calls } = fakeApi(() => "Complete");
        await rollOutEtcd(api, cluster, changes, [machine], tell);
        const member = (name: string) => [
            `make Job etcd-update-${name}`,
            `make ConfigMap etcd-update-${name}`,
            `delete etcd-${name}`,
        ];
        assert.deepEqual(calls, ["delete etcd-update-left", ...cluster.controllers.names.flatMap(member)]);
        assert.deepEqual(
            told,
            changes.map(({ text }) => `${text}: done`),
        );
    });

    it("ends at the first member that fails, with what its agent said last", async () => {
        const { api, calls } = fakeApi((job) => (job.includes("controller-1") ? "Failed" : "Complete"));
        await assert.rejects(
            rollOutEtcd(api, cluster, changes, [machine], tell),
            /^Error: the etcd of c-controller-1 could not be changed: it did not serve; it serves as before$/,
        );
        assert.ok(!calls.some((call) => call.includes("controller-2")));
    });
});
