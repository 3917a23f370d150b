import assert from "node:assert/strict";
import { askApi } from "../../../../cli/support-bundle/command";
import { Gathered } from "../../../../cli/support-bundle/gathered";
import { askController } from "../../../../cli/support-bundle/machines";
import type { ApiClient } from "../../../../clients/kubernetes/api-client";

/** An API with these responses, by path prefix, and no others. */
function apiOf(answers: Record<string, unknown>): { api: ApiClient; asked: string[] } {
    const asked: string[] = [];
    const call = async (path: string) => {
        asked.push(path);
        const [, answer] = Object.entries(answers).find(([start]) => path.startsWith(start)) ?? [];
        if (answer === undefined) throw new Error("not found");
        return answer;
    };
    return { api: { call } as unknown as ApiClient, asked };
}

const pods = {
    items: [
        {
            metadata: { name: "etcd-c" },
            status: { containerStatuses: [{ name: "etcd", restartCount: 1 }], initContainerStatuses: [] },
        },
    ],
};
const pathsOf = (found: Gathered) => found.entries("b").map(({ path }) => path);

describe("API requests of a support bundle", () => {
    it("collect objects, current and previous logs, and no Secrets or ConfigMaps except etcd's status", async () => {
        const { api, asked } = apiOf({
            "/version": { gitVersion: "v1.36.3" },
            "/api/v1/namespaces/kube-system/pods/": "log\n",
            "/api/v1/namespaces/kube-system/pods": pods,
        });
        const found = new Gathered();
        await askApi(api, found);
        const logs = ["b/logs/etcd-c/etcd.before.log", "b/logs/etcd-c/etcd.now.log"];
        assert.deepEqual(pathsOf(found), ["b/api/pods.json", "b/api/version.json", ...logs, "b/missing.txt"]);
        assert.ok(found.missed.includes("api/nodes.json: not found"));
        const hidden = asked.filter((path) => /secrets|configmaps/.test(path));
        assert.deepEqual(hidden, ["/api/v1/namespaces/kube-system/configmaps/etcd-status"]);
    });

    it("stop once the API does not answer", async () => {
        const { api, asked } = apiOf({});
        const found = new Gathered();
        await askApi(api, found);
        assert.deepEqual([asked, found.missed], [["/version"], ["api: not found"]]);
    });
});

describe("commands of a support bundle on a controller", () => {
    it("collect what is available, even if parts are missing", async () => {
        const found = new Gathered();
        const run = async (script: string) => {
            if (script.includes("free")) throw new Error("it hung");
            return "told";
        };
        await askController({ name: "c-0", run }, found);
        assert.ok(pathsOf(found).includes("b/machines/c-0/journal.log"));
        assert.deepEqual(found.missed, ["machines/c-0/memory.txt: it hung"]);
    });

    it("stop after the first failed connection", async () => {
        const found = new Gathered();
        await askController({ name: "c-0", run: () => Promise.reject(new Error("no route")) }, found);
        assert.deepEqual(found.missed, ["machines/c-0/journal.log: no route"]);
    });
});
