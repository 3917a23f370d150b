import assert from "node:assert/strict";
import type { ApiClient } from "../../../../clients/kubernetes/api-client";
import { checksumProblems } from "../../../../components/upgrade/guard";
import { downloads } from "../in-cluster/fixture";

const desired = { pool: "controller", architecture: "amd64", version: "1.36.3", downloads } as const;
const reported = { desired: "1.36.3", kubelets: { "1.36.3": downloads.kubelet }, cniPlugins: downloads.cniPlugins };
const spec = { volumes: [{ configMap: { name: "node-agent-controller-a" } }] };

/** Requests to an API whose node-agents have these downloads. */
async function askedOf(plan: object, pools = [desired]): Promise<string[]> {
    const asked: string[] = [];
    const set = { metadata: { labels: { "node.kubernetes.io/pool": "controller" } }, spec: { template: { spec } } };
    const call = async (path: string) => {
        asked.push(path.split("?")[0]!.split("/").at(-1)!);
        if (path.includes("configmaps")) return { data: { "plan.json": JSON.stringify(plan) } };
        return { items: path.includes("daemonsets") ? [set] : [] };
    };
    assert.deepEqual(await checksumProblems({ call } as unknown as ApiClient, pools), []);
    return asked;
}

describe("the guard of checksums", () => {
    it("reads nothing without configured downloads, and only plans if they are unchanged", async () => {
        assert.deepEqual(await askedOf(reported, []), []);
        assert.deepEqual(await askedOf(reported), ["daemonsets", "node-agent-controller-a"]);
    });

    it("reads what nodes have if another file is configured or a pool is added", async () => {
        const all = ["daemonsets", "node-agent-controller-a", "pods", "nodes"];
        assert.deepEqual(await askedOf({ ...reported, desired: "1.35.4" }), all);
        assert.deepEqual(await askedOf(reported, [desired, { ...desired, pool: "a" } as never]), all);
    });
});
