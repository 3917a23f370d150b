import assert from "node:assert/strict";
import type { ApiClient, Call } from "../../../../clients/kubernetes/api-client";
import { etcdKeeper } from "../../../../cluster/manifests/etcd/etcd-keeper";
import { snapshotNow } from "../../../../components/upgrade/etcd-snapshot";
import { fixedCluster } from "../in-cluster/fixture";

const cronJob = etcdKeeper(fixedCluster(), "text").find(({ kind }) => kind === "CronJob")!;

/** An API whose Job ends as given, with these lines in its pod's log. */
function fakeApi(end: "Complete" | "Failed" | undefined, log: string) {
    const created: { metadata: { name: string } }[] = [];
    const answer = (path: string, { method, body }: Call = {}) => {
        if (method === "POST") return created.push(body as never);
        if (path.includes("/cronjobs/")) return cronJob;
        if (path.includes("/log")) return log;
        if (path.includes("/pods")) {
            const pod = (name: string, creationTimestamp: string) => ({
                metadata: { name, creationTimestamp },
                spec: { nodeName: "c-0" },
                status: { phase: "Running" },
            });
            return { items: [pod("first", "2026-11-21T12:00:00Z"), pod("last", "2026-11-21T12:01:00Z")] };
        }
        return { status: { conditions: end ? [{ type: end, status: "True" }] : [] } };
    };
    const api = { call: async (path: string, call?: Call) => answer(path, call) } as unknown as ApiClient;
    return { api, created };
}

describe("A snapshot now", () => {
    it("is what the Job reports at its end", async () => {
        const { api, created } = fakeApi("Complete", 'snapshot c: verified\n{"count":3}\n');
        assert.deepEqual(await snapshotNow(api), { count: 3 });
        assert.match(created[0]!.metadata.name, /^etcd-snapshot-\w+$/);
    });

    it("that fails is an error with the Job's last words", async () => {
        const { api } = fakeApi("Failed", "snapshot failed: no space\n");
        await assert.rejects(
            snapshotNow(api),
            /^Error: the Job kube-system\/etcd-snapshot-\w+ took no snapshot: snapshot failed: no space$/,
        );
    });

    it("is waited for until the timeout", async () => {
        const { api } = fakeApi(undefined, "");
        await assert.rejects(
            snapshotNow(api, { timeoutSeconds: 0 }),
            /^Error: waited 0 s for the Job .*: it is running$/,
        );
    });
});
